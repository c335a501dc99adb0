import { expect, it, onTestFinished } from 'vitest';
import { type Account, startTwin } from '../../providers/hosting/twin/index.ts';
import { FleetPlace } from '../fleet/fleet-place.ts';
import { withoutFleet } from '../fleet/without-fleet.ts';
import { type Ran, Shell } from '../support/cli.ts';
import { noteCounts } from '../support/cost.ts';
import { inFront } from '../support/in-front.ts';
import { keyText } from '../support/keys.ts';
import { startPostgres } from '../support/postgres.ts';
import { all, sampled } from '../support/sweep.ts';
import { workplace } from '../workspace/workplace.ts';

const counts = { stories: 0, applies: 0, created: 0 };
noteCounts('stacks that create at the same moment', () => counts);

/** The number of objects that each stack creates. */
const many = 8;

/** Kinds whose objects the platform gives an id and no unique name, and how a stack declares one. */
const declared = {
  webhooks: (name: string) =>
    `{ url: "https://${name}.example.com", events: [deployment.error], $secretTo: discard }`,
  drains: (name: string) =>
    `{ schemas: { log: {} }, delivery: { type: http, endpoint: "https://${name}.example.com", encoding: json } }`,
  aiGatewayRules: (name: string) => `{ type: deny, match: { model: example/${name} } }`,
};
type Section = keyof typeof declared;

const stackNames = (stacks: number) => Array.from({ length: stacks }, (_, index) => `stack-${index}`);
const objectNames = (stack: string) => Array.from({ length: many }, (_, index) => `${stack}-${index}`);
const yamlOf = (stack: string, section: Section) =>
  `stack: ${stack}\nplatform: { team: acme }\n${section}:\n${objectNames(stack)
    .map((name) => `  ${name}: ${declared[section](name)}\n`)
    .join('')}`;
const filesOf = (stacks: number, section: Section) => ({
  'trueup.workspace.yaml': `stacks: [${stackNames(stacks).join(', ')}]\n`,
  ...Object.fromEntries(stackNames(stacks).map((stack) => [`${stack}/trueup.yaml`, yamlOf(stack, section)])),
});

/** Checks that the account has each declared object once. */
function expectEachOnce(account: Account, stacks: number, section: Section): void {
  const wanted = stackNames(stacks).flatMap(objectNames).sort();
  const text = account[section].map((object) => JSON.stringify(object));
  const found = wanted.map((name) => text.filter((object) => new RegExp(`${name}[."]`).test(object)).length);
  expect([text.length, found]).toEqual([wanted.length, wanted.map(() => 1)]);
  counts.stories += 1;
  counts.created += wanted.length;
}

const apply = ['apply', '--auto-approve', '--settle', '0'];
const expectDone = ({ status, all: output }: Ran) => expect(status, output).toBe(0);

/** Runs of machines of their own. None of them may write before all of them are about to. */
async function inFolders(stacks: number, section: Section): Promise<void> {
  const twin = await startTwin();
  const arrived = new Set<string>();
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const front = await inFront(
    () => twin.url,
    async ({ method, token }, pass) => {
      if (method !== 'GET') arrived.add(token);
      if (arrived.size === stacks) open();
      if (method !== 'GET') await opened;
      return pass();
    },
  );
  onTestFinished(async () => {
    open();
    front.close();
    await twin.close();
  });
  const shells = await Promise.all(
    stackNames(stacks).map(async (stack) => {
      const shell = await new Shell().write({ 'trueup.yaml': yamlOf(stack, section) });
      shell.env = {
        TRUEUP_BASE_URL: front.url,
        TRUEUP_TOKEN: `token-of-${stack}`,
        TRUEUP_LEDGER_KEY: keyText(),
      };
      return shell;
    }),
  );
  for (const ran of await Promise.all(shells.map((shell) => shell.run(apply)))) expectDone(ran);
  counts.applies += stacks;
  expectEachOnce(twin.account, stacks, section);
  for (const shell of shells) expectDone(await shell.run(['plan', '--detailed-exitcode']));
}

/** All stacks of a workspace by one run. */
async function byOneRun(stacks: number, section: Section): Promise<void> {
  const { shell, twin } = await workplace(filesOf(stacks, section));
  expectDone(await shell.run([...apply, '--all']));
  counts.applies += stacks;
  expectEachOnce(twin.account, stacks, section);
  expectDone(await shell.run(['plan', '--all', '--detailed-exitcode']));
}

/** All stacks of a workspace by a fleet of two worker processes. */
async function byFleet(stacks: number, section: Section): Promise<void> {
  const server = await startPostgres();
  onTestFinished(() => server.remove());
  const place = await FleetPlace.start(server, filesOf(stacks, section));
  const work = async () => {
    const workers = [1, 2].map(() => place.work(['--exit-when-idle', '--concurrency', '5']).ended);
    for (const ran of await Promise.all(workers)) expectDone(ran);
  };
  await place.enqueue(['plan', '--all']);
  await work();
  await place.enqueue(['apply', '--all', '--auto-approve']);
  await work();
  const jobs = (await place.status()).batches.flatMap((batch) => batch.jobs);
  expect(jobs.map(({ name, state, result }) => [name, state, state === 'done' ? '' : result])).toEqual(
    jobs.map(({ name }) => [name, 'done', '']),
  );
  counts.applies += stacks;
  expectEachOnce(place.workplace.twin.account, stacks, section);
}

const ways = { 'runs of their own': inFolders, 'one run': byOneRun, 'a fleet': byFleet };
const stories = (Object.keys(ways) as (keyof typeof ways)[]).flatMap((way) =>
  [2, 3, 10].flatMap((stacks) =>
    (Object.keys(declared) as Section[]).map((section) => ({ way, stacks, section })),
  ),
);
const cheap = stories.filter(({ way, stacks }) => way !== 'a fleet' && stacks < 10);
const possible = withoutFleet === undefined ? stories : stories.filter(({ way }) => way !== 'a fleet');
if (withoutFleet !== undefined) console.log(withoutFleet);

it.each(all ? possible : sampled(cheap, 1))(
  `$stacks stacks that create ${many} $section each at the same moment, by $way, are all done`,
  ({ way, stacks, section }) => ways[way](stacks, section),
);

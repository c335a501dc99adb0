import { expect, it } from 'vitest';
import { kinds } from '../../providers/hosting/kinds/index.ts';
import { groupBy } from '../../src/model/graph.ts';
import { everyKind } from '../support/every-kind.ts';
import { part } from '../support/part.ts';
import { sampleSeed } from '../support/samples.ts';
import { actions, newWorld } from '../support/scene.ts';
import { sampled } from '../support/sweep.ts';
import { describe, type Planned, type World } from '../support/world.ts';

/*
 * A table: each member of each answer that a plan reads has a value of another type. The plan then says which object or list it could not read. It
 * never ends with an error of the program, and never creates or deletes anything because of it.
 */

const values = [null, 1, 'x', [], {}, true];
type Path = (string | number)[];

/** Returns the paths to the members of an answer. All items of a list are alike, so only the first two count. */
const pathsIn = (value: unknown, path: Path = []): Path[] => [
  path,
  ...(typeof value !== 'object' || value === null
    ? []
    : Array.isArray(value)
      ? value.slice(0, 2).flatMap((item, index) => pathsIn(item, [...path, index]))
      : Object.entries(value).flatMap(([name, member]) => pathsIn(member, [...path, name]))),
];

function replacedAt(value: unknown, [first, ...rest]: Path, replacement: unknown): unknown {
  if (first === undefined) return replacement;
  if (Array.isArray(value))
    return value.map((item, index) => (index === first ? replacedAt(item, rest, replacement) : item));
  const object = value as Record<string, unknown>;
  return { ...object, [first]: replacedAt(object[first as string], rest, replacement) };
}

/**
 * True if the changed answer is a possible one: it says that there is nothing, which is no other type, that the object is deleted, or it
 * has another id. What was there is then gone, and is created again.
 */
const saysSomethingElse = (before: unknown, value: unknown, path: Path) =>
  (typeof before === 'object' && (value === null || Object.keys(value as object).length === 0)) ||
  (typeof value === 'number' && /^(?:uid|id|.*Id)$/.test(String(path.at(-1)))) ||
  // The time of a deletion, and a rule for all models.
  (value === 1 && /^(?:archived|deleted)$/.test(String(path.at(-1)))) ||
  (value === null && path.slice(-2).join('.') === 'match.model');

const typeOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value);

/** A member of an answer, and its other value. */
interface Case {
  read: string;
  path: Path;
  value: unknown;
}

/**
 * Returns the cases of all answers. Answers to the same request about other objects have the same members, so a member with a value of one
 * type counts once.
 */
function casesIn(answers: ReadonlyMap<string, unknown>): Case[] {
  const members = new Map(
    [...answers].flatMap(([read, answer]) =>
      pathsIn(answer).map((path) => {
        const operation = read.replace(/[^/?&=]*\d[^/?&=]*/g, '*');
        const place = path.map((name) => (typeof name === 'number' ? '*' : name)).join('.');
        const before = valueAt(answer, path);
        return [`${operation} ${place} ${typeOf(before)}`, { read, path, before }] as const;
      }),
    ),
  );
  return [...members.values()].flatMap(({ read, path, before }) =>
    values
      .filter((value) => typeOf(before) !== typeOf(value) && !saysSomethingElse(before, value, path))
      .map((value) => ({ read, path, value })),
  );
}

const valueAt = (answer: unknown, path: Path): unknown =>
  path.reduce<unknown>((value, member) => (value as never)[member], answer);

/** True if an answer has an object or a list that may have a member at a path. */
const hasParent = (answer: unknown, path: Path): boolean => {
  const parent = path.slice(0, -1).reduce<unknown>((value, member) => (value as never)?.[member], answer);
  return typeof parent === 'object' && parent !== null;
};

/** Lets `change` see each answer to a read, and answer something else. */
function changeAnswers(world: World, change: (read: string, answer: unknown) => unknown): void {
  const { server } = world.twin;
  const [listener] = server.listeners('request') as [(request: object, response: object) => void];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const end = response.end.bind(response) as (content?: Uint8Array | string) => unknown;
    response.end = ((content?: Uint8Array | string) => {
      if (request.method !== 'GET' || content === undefined || response.statusCode >= 300)
        return end(content);
      const text = String(Buffer.from(content as Uint8Array));
      return end(text === '' ? content : Buffer.from(JSON.stringify(change(request.url!, JSON.parse(text)))));
    }) as typeof response.end;
    listener(request, response);
  });
}

/** Words of the engine, which mean nothing to users. */
const engine = /not a function|not iterable|Cannot |primitive value|undefined|\[object|internal/;

/** Applies a configuration. Returns the cases of the answers that its next plan reads, and a function to try some of them in one plan. */
async function applied(yaml: string) {
  const world = await newWorld({ seed: sampleSeed });
  world.replays = false;
  await world.converge(yaml);
  const answers = new Map<string, unknown>();
  let change = (read: string, answer: unknown): unknown => {
    answers.set(read, answer);
    return answer;
  };
  changeAnswers(world, (read, answer) => change(read, answer));
  const harmIn = ({ plan }: Planned) =>
    actions(plan).filter((action) => /^(create|delete|replace) /.test(action));
  let usualHarm = harmIn(await world.plan(yaml));
  /** Forgets the ledger, so that only the answers tell which objects exist. */
  const forget = async () => {
    world.ledger = { ...world.ledger, entries: {} };
    change = (_, answer) => answer;
    usualHarm = harmIn(await world.plan(yaml));
  };
  /** Returns the faults of a plan with these cases: what it creates or deletes because of them, or an error of the program. */
  const faultsOf = async (cases: Case[]): Promise<string[]> => {
    const casesByRead = groupBy(cases, ({ read }) => read);
    change = (read, answer) =>
      (casesByRead.get(read) ?? []).reduce(
        (changed, { path, value }) => replacedAt(changed, path, value),
        answer,
      );
    const place = cases.map(
      ({ read, path, value }) => `${read} ${path.join('.')} = ${JSON.stringify(value)}`,
    );
    try {
      const planned = await world.plan(yaml);
      const { plan } = planned;
      const wrong = harmIn(planned).filter((action) => !usualHarm.includes(action));
      const words = plan.diagnostics.map(({ code, message, hint = '' }) => `${code} ${message} ${hint}`);
      const isFine = wrong.length === 0 && !words.some((line) => engine.test(line));
      return isFine ? [] : [`${place.join(', ')}: ${describe(plan)}`];
    } catch (error) {
      return [`${place.join(', ')}: ${(error as Error).stack}`];
    }
  };
  return { answers, cases: casesIn(answers), faultsOf, forget };
}

it.each(
  sampled(
    kinds.map(({ name }) => name),
    1,
  ),
)(
  'a plan of a %s reports answers with a member of another type, and creates and deletes nothing for them',
  async (name) => {
    const { cases, faultsOf } = await applied(everyKind(kinds.filter((kind) => kind.name === name))(0));
    expect(cases.length).toBeGreaterThan(10);
    const faults: string[] = [];
    for (const one of sampled(cases, 10)) faults.push(...(await faultsOf([one])));
    expect(faults).toEqual([]);
  },
);

it('a store of configuration with a purpose of another type is not taken for one of the platform', async () => {
  const { faultsOf, forget } = await applied(
    'stack: a\nplatform: { personal: true }\nglobalConfigs: { shop: {} }\n',
  );
  await forget();
  for (const value of ['flags', 1, true, ['flags']])
    expect(await faultsOf([{ read: '/v1/global-config', path: [0, 'purpose'], value }])).toEqual([]);
});

/** The number of plans of many kinds, each with other cases. */
const roundCount = 6;

/**
 * Divides a sample of the cases into rounds, whose cases are tried in one plan. A case hides the others below the same object. So a round
 * has at most one case of each project and of each list outside of projects, and each of these takes part in every other round. A list that
 * names projects hides too many.
 */
function roundsOf(cases: readonly Case[], answers: ReadonlyMap<string, unknown>): Case[][] {
  const project = /prj_\w+/;
  const hidesNoProject = ({ read }: Case) =>
    project.test(read) || !project.test(JSON.stringify(answers.get(read)));
  const casesByObject = groupBy(cases.filter(hidesNoProject), ({ read }) => project.exec(read)?.[0] ?? read);
  const readsByObject = [...casesByObject.values()].map((ofObject) =>
    [...groupBy(ofObject, ({ read }) => read).values()].map((ofRead) =>
      sampled(ofRead, roundCount, roundCount),
    ),
  );
  return Array.from({ length: roundCount }, (_, round) =>
    readsByObject.flatMap((reads, object) => {
      const casesOfRead = reads[(Math.floor(round / 2) + part) % reads.length]!;
      return (round + object) % 2 === 0 ? casesOfRead.slice(round, round + 1) : [];
    }),
  );
}

it('a plan of many kinds reports many such answers, and creates and deletes nothing for them', async () => {
  const third = kinds.filter((_, index) => (index + part) % 3 === 0);
  const { answers, cases, faultsOf, forget } = await applied(everyKind(third, 20)(0));
  const rounds = roundsOf(cases, answers);
  expect(rounds.flat().length).toBeGreaterThan(40);
  const faults: string[] = [];
  for (const [index, round] of rounds.entries()) {
    if (index === roundCount / 2) await forget();
    const faultsOfRound = await faultsOf(round);
    // A fault that one of the cases has by itself is easier to understand.
    if (faultsOfRound.length > 0) for (const one of round) faults.push(...(await faultsOf([one])));
    faults.push(...faultsOfRound);
  }
  expect(faults).toEqual([]);
});

it('a plan replaces no webhook because an answer has an empty `url` or `events`', async () => {
  const world = await newWorld({ seed: sampleSeed });
  world.replays = false;
  const yaml = everyKind(kinds.filter((kind) => kind.name === 'webhook'))(0);
  await world.converge(yaml);
  let members: object = {};
  changeAnswers(world, (read, answer) =>
    read.startsWith('/v1/webhooks') ? (answer as object[]).map((hook) => ({ ...hook, ...members })) : answer,
  );
  for (const name of ['url', 'events'])
    for (const empty of ['', null, [], {}]) {
      members = { [name]: empty };
      const { plan } = await world.plan(yaml);
      expect([name, empty, ...actions(plan)]).toEqual([name, empty]);
      expect(plan.diagnostics).toEqual([expect.objectContaining({ code: 'observe/incomplete' })]);
    }
});

it.each([
  ['projectMember', '/v1/projects/', 'members.0.role', []],
  ['featureFlag', '/v2/projects/', 'data.0.typeName', true],
  ['authToken', '/v6/user/tokens', 'tokens.0.origin', 1],
  ['authToken', '/v6/user/tokens', 'tokens.0.scopes.0.type', 1],
  ['authToken', '/v6/user/tokens', 'tokens.0.scopes.0.teamId', true],
  ['oidcPolicy', '/v1/oauth-apps/', 'policies.0.name', 1],
  ['kmsIssuer', '/v1/kms/issuers', 'issuers.0.managedBy', 1],
  ['projectEnvVar', '/v10/projects/', 'envs.0.configurationId', true],
])(
  'without a ledger, a plan of a %s creates nothing because an answer of %s has another type at %s: %j',
  async (name, start, place, value) => {
    const { answers, faultsOf, forget } = await applied(
      everyKind(
        kinds.filter((kind) => kind.name === name),
        20,
      )(0),
    );
    await forget();
    const path = place.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part));
    const reads = [...answers.keys()].filter(
      (read) => read.startsWith(start) && hasParent(answers.get(read), path),
    );
    expect(reads).not.toEqual([]);
    for (const read of reads) expect(await faultsOf([{ read, path, value }])).toEqual([]);
  },
);

it('without a ledger, a plan creates no second bypass because the note that identifies it has another type', async () => {
  const { answers, faultsOf, forget } = await applied(
    'projects: { web: { protectionBypass: { e2e: { note: tests } } } }',
  );
  await forget();
  const notes = [...answers].flatMap(([read, answer]) =>
    Object.keys((answer as { protectionBypass?: object }).protectionBypass ?? {}).map((secret) => ({
      read,
      path: ['protectionBypass', secret, 'note'],
    })),
  );
  expect(notes.length).toBeGreaterThan(0);
  for (const note of notes) expect(await faultsOf([{ ...note, value: true }])).toEqual([]);
});

const variables = (fields: string) => `projects: { web: { env: { NAME: { ${fields} } } } }`;
const bypasses = (fields: string) =>
  `projects: { web: { firewallBypasses: [{ domain: '*', sourceIp: 192.0.2.7, ${fields} }] } }`;

/** Lets each object in a list of an answer say null for a member. */
const sayNull = (world: World, list: string, name: string) =>
  changeAnswers(world, (_, answer) => {
    const { [list]: objects, ...others } = answer as Record<string, object[]>;
    return objects ? { ...others, [list]: objects.map((object) => ({ ...object, [name]: null })) } : answer;
  });

it.each([
  ['a branch', variables('value: text'), 'envs', 'gitBranch'],
  ['a note', bypasses('ttl: 60000'), 'result', 'Note'],
])('an object that was never given %s may say null for it', async (_, yaml, list, name) => {
  const world = await newWorld();
  await world.converge(yaml);
  sayNull(world, list, name);
  const { plan } = await world.plan(yaml);
  expect(actions(plan)).toEqual([]);
  expect(plan.diagnostics.filter(({ code }) => code !== 'firewall/bypass-ends')).toEqual([]);
});

it.each([
  [
    'a branch',
    variables('value: text, target: [preview], gitBranch: one'),
    'envs',
    'gitBranch',
    'NAME@preview:one',
  ],
  ['a note', bypasses('note: one'), 'result', 'Note', '%2A/192.0.2.7'],
])('null for %s that the last apply set leads to no change', async (_, yaml, list, name, address) => {
  const world = await newWorld();
  await world.converge(yaml);
  sayNull(world, list, name);
  const { plan } = await world.plan(yaml);
  expect(actions(plan)).toEqual([]);
  expect(plan.diagnostics).toEqual([expect.objectContaining({ code: 'observe/incomplete' })]);
  expect(plan.diagnostics[0]!.message).toContain(`is null, but the last apply set it at projects/web/`);
  expect(plan.diagnostics[0]!.message).toContain(address);
});

it('null for a note that the platform did not keep at the last apply is no reason to leave the list unread', async () => {
  const world = await newWorld();
  const yaml = bypasses('note: one');
  await world.converge(yaml);
  for (const entry of Object.values(world.ledger.entries))
    if (entry.kind === 'firewallBypass') entry.notKept = { note: 'digest of null' };
  sayNull(world, 'result', 'Note');
  const { plan } = await world.plan(yaml);
  expect(plan.diagnostics).toEqual([]);
});

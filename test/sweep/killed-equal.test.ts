import { setTimeout } from 'node:timers/promises';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { startTwin } from '../../providers/hosting/twin/index.ts';
import { noteCounts } from '../support/cost.ts';
import { inFront } from '../support/in-front.ts';
import { startProcess } from '../support/process.ts';
import { all, sampled } from '../support/sweep.ts';
import { newFolder, originFor } from './killed-stacks.ts';
import { type LedgerKind, LedgerServers } from './ledger-servers.ts';

// Stacks that declare equal webhooks, applied together by a process that is killed while it creates them.

const servers = new LedgerServers();
afterAll(() => servers.close());
const counts = { stories: 0, created: 0 };
noteCounts('stacks with equal objects killed', () => counts);

interface Story {
  kind: LedgerKind;
  stacks: number;
  /** The number of creations that the platform carries out before the process is killed. */
  done: number;
  /** The number of those that it answers. */
  answered: number;
  /** The next run works in another folder, without the journals. */
  losesFolder: boolean;
}

const upTo = (count: number) => Array.from({ length: count + 1 }, (_, index) => index);
const kinds: LedgerKind[] = ['file', 'git', 'postgres', 's3', 'http'];
const stories = kinds.flatMap((kind) =>
  [2, 3].flatMap((stacks) =>
    upTo(stacks).flatMap((done) =>
      upTo(Math.min(done, stacks - 1)).flatMap((answered) =>
        (kind === 'file' ? [false] : [false, true]).map(
          (losesFolder): Story => ({ kind, stacks, done, answered, losesFolder }),
        ),
      ),
    ),
  ),
);
const possible = stories.filter(({ kind }) => LedgerServers.missing(kind) === undefined);

const apply = ['apply', '--all', '--auto-approve', '--settle', '0'];
const filesOf = (names: string[]) => ({
  'trueup.workspace.yaml': `stacks: [${names.join(', ')}]\n`,
  ...Object.fromEntries(
    names.map((name) => [
      `${name}/trueup.yaml`,
      `stack: ${name}
platform: { team: acme }
webhooks: { hook: { url: "https://x.example.com", events: [deployment.error], $secretTo: discard } }
`,
    ]),
  ),
});

it.each(
  all
    ? possible
    : sampled(
        possible.filter(({ kind }) => kind === 'file'),
        1,
      ),
)(
  '$stacks stacks with equal webhooks, ledgers in $kind, killed with $done done and $answered answered (folder lost: $losesFolder), end with one each',
  async ({ kind, stacks, done, answered, losesFolder }) => {
    const twin = await startTwin();
    let arrived = 0;
    let isOver = false;
    let kill = () => {};
    const front = await inFront(
      () => twin.url,
      async ({ method }, pass) => {
        if (method === 'GET' || isOver) return pass();
        const index = arrived++;
        // All stacks have recorded by then what they are about to create.
        while (arrived < stacks) await setTimeout(5);
        const answer = index < done ? await pass() : undefined;
        if (index < answered) return answer;
        await setTimeout(200);
        kill();
        return undefined;
      },
    );
    onTestFinished(async () => {
      front.close();
      await twin.close();
    });
    const names = ['a', 'b', 'c'].slice(0, stacks);
    const place = { url: front.url, settings: await servers.newPlace(kind), origin: originFor(kind) };
    const enter = () => newFolder(place).write(filesOf(names));
    let shell = await enter();
    const { child, ended } = startProcess(apply, { cwd: shell.folder, env: shell.env });
    kill = () => void child.kill('SIGKILL');
    const killed = await ended;
    expect(killed.status, killed.all).toBe(null);
    isOver = true;
    if (losesFolder) shell = await enter();
    for (const command of [
      [...apply, '--lock-wait', '300'],
      ['plan', '--all', '--detailed-exitcode'],
    ]) {
      const ran = await shell.run(command);
      expect(ran.status, ran.all).toBe(0);
    }
    expect(twin.account.webhooks.length).toBe(stacks);
    const created = twin.requests.filter(({ method }) => method === 'POST');
    expect(created.length).toBe(stacks);
    counts.stories += 1;
    counts.created += stacks;
  },
);

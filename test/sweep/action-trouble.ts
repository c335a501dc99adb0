import { expect } from 'vitest';
import { type FaultPlan, type Seed, startTwin } from '../../providers/hosting/twin/index.ts';
import { Shell } from '../support/cli.ts';
import { here } from '../support/here.ts';
import { inFront } from '../support/in-front.ts';
import { until } from '../support/until.ts';

/* Trouble around an action by hand: what may happen to its request, to its process, and to what it reads before. */

type Do = FaultPlan['faults'][number]['do'];

/** What is run, and what is known of it. */
export interface Deed {
  name: string;
  args: string[];
  /** The catalog's operation. */
  operation: string;
  /** Its answer has no body, of which a half could arrive. */
  silent?: true;
  /** What it made is found by its mark. */
  found?: true;
}

export const deeds: Deed[] = [
  {
    name: 'redeploy',
    args: ['redeploy', 'web'],
    operation: 'createDeployment',
    found: true,
  },
  {
    name: 'promote',
    args: ['promote', 'web', '--input', 'deployment=dpl_old'],
    operation: 'requestPromote',
    silent: true,
  },
  {
    name: 'startCheckRun',
    args: ['startCheckRun', '--input', 'deployment=dpl_live', '--input', 'checkId=check_1'],
    operation: 'createDeploymentCheckRun',
  },
  {
    name: 'startRollout',
    args: ['startRollout', 'web', '--input', 'canaryDeploymentId=dpl_live'],
    operation: 'startRollingRelease',
  },
  {
    name: 'verify',
    args: ['verify', 'projects/web/domains/www.example.com'],
    operation: 'verifyProjectDomain',
  },
];

/** What a run has to say of what became of the action. */
type Told = 'done' | 'refused' | 'unknown';

export interface ActionPoint {
  name: string;
  /** At the request of the action, or at a read before it. */
  at: 'write' | 'read';
  do: Do;
  /** Whether the platform does it. */
  isDone: boolean;
  told: Told;
}

const write = (name: string, fault: Do, isDone: boolean, told: Told): ActionPoint => ({
  ...{ name, at: 'write', do: fault, isDone, told },
});
const status = (
  code: 400 | 402 | 403 | 404 | 409 | 410 | 422 | 500 | 502 | 503,
  when: 'before' | 'after' = 'before',
): Do => ({
  ...{ type: 'status', status: code, when },
});

/** All that is tried at the request of an action, and at the first read before it. */
export const actionPoints: ActionPoint[] = [
  write('too many requests', { type: 'rateLimit', retryAfter: 0 }, true, 'done'),
  write('too many requests for a while', { type: 'rateLimit', retryAfter: 30 }, true, 'done'),
  ...([400, 402, 403, 404, 409, 410, 422] as const).map((code) =>
    write(`${code}`, status(code), false, 'refused'),
  ),
  ...([500, 502, 503] as const).flatMap((code) => [
    write(`${code}, not done`, status(code), false, 'unknown'),
    write(`${code}, done`, status(code, 'after'), true, 'unknown'),
  ]),
  ...(['before', 'after', 'during'] as const).map((when) =>
    write(`the connection breaks ${when}`, { type: 'connectionReset', when }, when !== 'before', 'unknown'),
  ),
  write('half an answer', { type: 'cutJson' }, true, 'unknown'),
  ...[status(502), { type: 'connectionReset', when: 'before' } as Do].map(
    (fault): ActionPoint => ({
      ...{ name: `a read: ${fault.type}`, at: 'read', do: fault, isDone: true, told: 'done' },
    }),
  ),
];

/** When the process of an action is gone: at its first read, before its record says that it began; or at its request. */
export const kills = ['read', 'before', 'after'] as const;
export type Kill = (typeof kills)[number];

/** A stack with an account behind a server that can keep requests waiting, and a clock that nobody waits for. */
export interface ActionStand {
  /** Plays one trouble. Throws where it is not told as it is, or where anything was done twice. */
  play(deed: Deed, point: ActionPoint): Promise<void>;
  /** Kills the process, and runs the action again. */
  kill(deed: Deed, at: Kill): Promise<void>;
  close(): void;
}

const heartbeat = 10_000;

export async function openActionStand(): Promise<ActionStand> {
  const real = here.clock;
  let ahead = 0;
  const twin = await startTwin({ seed, now: () => real.now() + ahead });
  /** Keeps a request waiting for as long as the test lasts. */
  let catches: ((method: string) => 'before' | 'after' | undefined) | undefined;
  let isCaught = false;
  /** What is done to a request. */
  let made: Do | undefined;
  const proxy = await inFront(
    () => twin.url,
    async ({ method }, pass) => {
      const when = isCaught ? undefined : catches?.(method);
      if (when === undefined) return pass();
      isCaught = true;
      if (when === 'after') await pass();
      return new Promise<undefined>(() => {});
    },
  );
  const shell = await new Shell().write({
    'trueup.yaml': 'stack: demo\nplatform: { team: acme }\nprojects: { web: {} }\n',
  });
  shell.env = { TRUEUP_BASE_URL: proxy.url, TRUEUP_TOKEN: 'token-for-tests' };
  const applied = await shell.run(['apply', '--auto-approve']);
  expect(applied.status, applied.all).toBe(0);

  const looking = new WeakSet<AbortSignal>();
  shell.clock = {
    now: () => real.now() + ahead,
    monotonic: () => real.monotonic() + ahead,
    sleep: async (milliseconds, stop) => {
      // The lease beats in real time; whoever else waits sees the time pass at once.
      if (milliseconds !== heartbeat && stop) looking.add(stop);
      if (milliseconds === heartbeat && stop && !looking.has(stop)) return real.sleep(milliseconds, stop);
      ahead += milliseconds;
      return real.sleep(0, stop);
    },
  };

  function begin(): void {
    twin.setFaults({ faults: [] });
    [catches, isCaught, made] = [undefined, false, undefined];
    const project = twin.account.projects[0]!;
    project.deployments = project.deployments.filter(({ id }) => id === 'dpl_old' || id === 'dpl_live');
    project.checkRuns = [];
    project.domains.at(-1)!.verified = false;
    delete project.rollout;
    delete project.serving;
    twin.clearRequests();
  }
  /** How often the platform did it: what was refused before it took effect does not count. */
  const done = ({ operation }: Deed) =>
    twin.requests.filter(
      ({ operationId, fault, status }) =>
        operationId === operation && (fault === undefined ? status < 400 : takesEffect(made!)),
    ).length;
  const sent = ({ operation }: Deed) =>
    twin.requests.filter(({ operationId }) => operationId === operation).length;
  const command = (deed: Deed) => ['run', ...deed.args, '--auto-approve'];
  const lastLine = async () => (await shell.run(['log'])).stdout.split('\n')[0]!;

  return {
    async play(deed, { at, do: fault, isDone, told }) {
      begin();
      const where = at === 'write' ? { operation: deed.operation, nth: 1 } : { request: 1 };
      made = fault;
      twin.setFaults({ faults: [{ at: where, do: fault }] });
      const { status, all } = await shell.run(command(deed));
      expect(twin.faults.length, 'the fault was made').toBeGreaterThan(0);
      // What is found by its mark is done, wherever its answer went.
      const isHeard = deed.silent && fault.type === 'cutJson';
      const outcome: Told = told === 'unknown' && isDone && (deed.found || isHeard) ? 'done' : told;
      expect([done(deed), status], all).toEqual([isDone ? 1 : 0, outcome === 'done' ? 0 : 1]);
      const tries = fault.type === 'rateLimit' && isDone ? 2 : 1;
      expect(sent(deed), all).toBe(tries);
      const [word, line] = {
        done: ['Done', / run \w+$|run \w+\s*$/],
        refused: ['[run/refused]', /failed/],
        unknown: ['[run/unknown]', /has no recorded outcome/],
      }[outcome] as [string, RegExp];
      expect(all).toContain(word);
      expect(await lastLine()).toMatch(line);
    },
    async kill(deed, at) {
      begin();
      const before = await lastLine();
      catches = (method) =>
        at === 'read' ? (method === 'GET' ? 'before' : undefined) : method === 'GET' ? undefined : at;
      // Its end is never heard of, unless something is wrong: nothing else would end the waiting then.
      let ended: string | undefined;
      void shell.start(command(deed)).ended.then(({ all }) => {
        ended = all;
      });
      await until(() => isCaught || ended !== undefined);
      expect(ended).toBeUndefined();
      if (at === 'after') await until(() => done(deed) === 1);
      catches = undefined;
      const line = await lastLine();
      if (at === 'read') expect(line).toBe(before);
      else expect(line).toContain('has no recorded outcome');
      const [wasDone, wasSent] = [done(deed), sent(deed)];
      expect([wasDone, wasSent]).toEqual(at === 'after' ? [1, 1] : [0, 0]);
      if (at !== 'read') {
        const locked = await shell.run(command(deed));
        expect([locked.status, sent(deed)], locked.all).toEqual([75, wasSent]);
        const freed = await shell.run(['ledger', 'unlock', '--force']);
        expect(freed.status, freed.all).toBe(0);
      }
      const again = await shell.run(command(deed));
      // By hand a person says so: it is sent once more, and never by itself.
      expect(sent(deed), again.all).toBe(wasSent + 1);
    },
    close() {
      proxy.close();
      void twin.close();
    },
  };
}

/** A request is done although that happens to it. */
const takesEffect = (fault: Do): boolean =>
  fault.type === 'cutJson' || ('when' in fault && fault.when !== undefined && fault.when !== 'before');

const seed: Seed = {
  team: { id: 'team_1', slug: 'acme' },
  projects: [
    {
      name: 'web',
      deployments: [
        { id: 'dpl_old', target: 'production' },
        { id: 'dpl_live', target: 'production' },
      ],
      checks: [{ id: 'check_1', name: 'e2e' }],
      domains: [{ name: 'www.example.com', verified: false }],
      rollingRelease: {
        advancementType: 'manual-approval',
        stages: [{ targetPercentage: 10 }, { targetPercentage: 100 }],
      },
    },
  ],
};

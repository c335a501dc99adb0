import { expect } from 'vitest';
import { stringify } from 'yaml';
import { connect } from '../../providers/hosting/connect.ts';
import type { Account, LoggedRequest } from '../../providers/hosting/twin/index.ts';
import type { Exchange } from '../../src/kind/provider.ts';
import { Problems } from '../../src/model/diagnostic.ts';
import type { ApplyEvent, Outcome } from '../../src/model/event.ts';
import type { Ledger } from '../../src/model/ledger.ts';
import { isEmpty, type Plan } from '../../src/model/plan.ts';
import { startFaultProxy } from '../support/fault-proxy.ts';
import type { ProxyAction } from '../support/proxy-fault.ts';
import { sampleSeed } from '../support/samples.ts';
import { describe, kinds, type Planned, World } from '../support/world.ts';
import { accountShape, differences } from './account-shape.ts';
import { withAppIds } from './app-ids.ts';
import { noting } from './canaries.ts';
import { limits, type Scenario } from './crash.ts';
import { behind, type Fault, type FaultPoint, type Stale, tooLong } from './fault-points.ts';
import { expectNoCanary, withCanaries } from './marked-secrets.ts';
import { addNeighbours, containersOf } from './neighbours.ts';

/** What disturbs a run. */
export interface Trouble {
  faults: Fault[];
  /** Somebody else makes things, too. */
  foreign?: boolean;
  /** The one fault that this is, of which it is known what it may lead to. */
  point?: FaultPoint;
}

/** A scenario that can be played again and again, each time from the same account and ledger. */
export interface Stage {
  /** Those of a run that nothing disturbs, its plan included. */
  requests: LoggedRequest[];
  /** Plays it with trouble in its first run; at most three more runs must come to what undisturbed ones do. Gives back how many faults there were. */
  play(trouble: Trouble): Promise<number>;
  /** Somebody else makes things beside those of the stack. */
  foreign: ProxyAction;
  close(): Promise<void>;
}

/** How many runs of the command it may take after the one that was disturbed. */
const moreRuns = 3;
const settle = 60_000;
const hour = 3_600_000;

/** The twin's and the tool's: it jumps over each wait. */
function stageClock() {
  const clock = {
    time: Date.now(),
    slept: 0,
    now: () => clock.time,
    sleep: async (milliseconds: number) => {
      clock.time += milliseconds;
      clock.slept += milliseconds;
    },
  };
  return clock;
}

/** Sets a scenario up, and plays it once without trouble. */
export async function openStage(given: Scenario): Promise<Stage> {
  const scenario = withCanaries(given);
  const clock = stageClock();
  const world = await World.start({ seed: sampleSeed, now: clock.now }, { clock });
  world.parallelism = 1;
  world.settle = settle;
  world.now = clock.now;
  const { twin } = world;
  const proxy = await startFaultProxy(() => twin.url, clock.sleep);
  const yaml = stringify(scenario.next);
  if (scenario.first) {
    const planned = await world.plan(stringify(scenario.first), limits);
    const { outcome } = await world.apply(planned, { deliver: async () => {} });
    expect(outcome.failed).toEqual([]);
  }
  const places = containersOf(twin.account);
  addNeighbours(twin, 'neighbour', places);
  const start = { account: structuredClone(twin.account), ledger: world.ledger, time: clock.time + hour };
  const restore = (account: Account) => void Object.assign(twin.account, structuredClone(account));
  const foreign = () => addNeighbours(twin, 'foreign', places);

  /** The account and the ledger as at the beginning. */
  function begin({ faults }: Trouble): void {
    restore(start.account);
    world.ledger = start.ledger;
    Object.assign(clock, { time: start.time, slept: 0 });
    twin.clearRequests();
    twin.faults.splice(0);
    proxy.made.splice(0);
    setFaults(faults);
  }

  /** The twin makes what only the platform can. */
  function setFaults(faults: Fault[]): void {
    const isStale = (one: Fault): one is Fault & { at: { request: number }; do: Stale } =>
      one.do.type === 'stale';
    twin.setFaults({ faults: faults.filter(isStale) });
    proxy.setFaults(faults.filter((one): one is Fault & { do: ProxyAction } => !isStale(one)));
  }

  const shownOnce = new Set<string>();
  const sent: Sent[] = [];
  const note = ({ method, path, status = 0 }: Exchange): void => {
    if (method === 'GET') return;
    // An exchange shows two secrets alike.
    const { text = '', action } = proxy.last() ?? {};
    const done = action?.type ?? '';
    const isHeard = status >= 200 && status < 500 && !['cutJson', 'lie'].includes(done);
    sent.push({ text: `${method} ${path} ${text}`, isHeard });
  };

  /** A connection that knows nothing yet, as each run has its own. */
  async function reconnect(): Promise<void> {
    await world.connection.close();
    const team = twin.account.teams[0]!.slug;
    const connection = connect(
      { baseUrl: proxy.url, token: 'test-token', scope: { team }, onExchange: note },
      { clock, random: () => 0.5, bounds: { connections: 1 } },
    );
    await connection.owner();
    Object.assign(world.connection, connection);
  }

  /** False where a fault is in the way, and the run says so. */
  const canReconnect = () =>
    reconnect().then(
      () => true,
      (error) => {
        if (!(error instanceof Problems)) throw error;
        return false;
      },
    );

  /** As `apply` does it: what may only not be shown yet is waited for. */
  async function planSettled(): Promise<Planned> {
    for (;;) {
      const planned = await world.plan(stringify(withAppIds(scenario.next, world)), limits);
      expectNoCanary(twin.account, planned.diagnostics);
      if (planned.settlesIn === undefined) return planned;
      await clock.sleep(planned.settlesIn + 1);
    }
  }

  async function run(planned: Planned): Promise<Ran> {
    const [since, slept] = [sent.length, clock.slept];
    const send = noting(world.connection.send, shownOnce);
    const { outcome, events } = await world.apply(planned, { deliver: async () => {}, send });
    expectNoCanary(twin.account, [world.ledger, events, outcome], shownOnce);
    return {
      plan: planned.plan,
      outcome,
      events,
      sent: sent.slice(since),
      slept: clock.slept - slept,
    };
  }

  async function lastPlan(): Promise<Planned> {
    await clock.sleep(settle + behind);
    const planned = await world.plan(yaml, limits);
    expect(isEmpty(planned.plan), `not done at the end:\n${describe(planned.plan)}`).toBe(true);
    expect(errorsOf(planned.plan)).toEqual([]);
    return planned;
  }

  await reconnect();
  begin({ faults: [] });
  const smooth = await run(await planSettled());
  expect(smooth.outcome.failed).toEqual([]);
  const requests = [...twin.requests];
  const { plan: last } = await lastPlan();
  const end = { account: structuredClone(twin.account), ledger: world.ledger };
  const expected = {
    owned: owned(end.ledger),
    unmanaged: unmanagedIn(last),
    shape: accountShape(end.account),
    besideForeign: withForeign(),
  };

  function withForeign(): unknown {
    restore(end.account);
    foreign();
    return accountShape(twin.account);
  }

  return {
    requests,
    foreign: { type: 'foreign', change: foreign },
    async play(trouble) {
      await reconnect();
      begin(trouble);
      const isPassed = trouble.faults.every(({ at }) => 'request' in at);
      let before: Ran | undefined;
      const hits = () => [...twin.faults, ...proxy.made];
      for (let count = 0; count <= moreRuns; count++) {
        // A run that cannot even read whose account it is does nothing.
        if (count > 0 && !(await canReconnect())) continue;
        // What has not happened by now does not, and lists catch up: from here on runs are undisturbed.
        if (count > 1) setFaults([]);
        const planned = await planSettled();
        const errors = errorsOf(planned.plan);
        if (before) expectDone(before, planned.plan, trouble, hits());
        if (count > 0 && isEmpty(planned.plan) && errors.length === 0) break;
        before = errors.length === 0 ? await run(planned) : undefined;
        if (before) {
          expectAllTold(before);
          expectNoneTwice(before);
        }
        if (count > 0) continue;
        if (before) expectBlame(before, trouble, hits());
        if (!isPassed) setFaults([]);
        if (isTooLong(trouble)) await clock.sleep(tooLong * 1000);
      }
      await reconnect();
      setFaults([]);
      const { plan, ledger } = await lastPlan();
      const shape = trouble.foreign && hits().length > 0 ? expected.besideForeign : expected.shape;
      expect(differences(accountShape(twin.account), shape).join('\n')).toBe('');
      const { begun, staged } = ledger;
      expect({ owned: owned(ledger), begun, staged }).toEqual({
        owned: expected.owned,
        begun: undefined,
        staged: undefined,
      });
      const unmanaged = unmanagedIn(plan);
      expect(expected.unmanaged.filter((one) => !unmanaged.includes(one))).toEqual([]);
      if (!trouble.foreign) expect(unmanaged).toEqual(expected.unmanaged);
      return hits().length;
    },
    close: async () => {
      await world.stop();
      await proxy.close();
    },
  };
}

const isTooLong = ({ faults }: Trouble) =>
  faults.some(({ do: action }) => action.type === 'rateLimit' && (action.retryAfter ?? 0) >= tooLong);

/** A write that a run sent, and whether it heard what became of it. */
interface Sent {
  text: string;
  isHeard: boolean;
}

interface Ran {
  plan: Plan;
  outcome: Outcome;
  events: ApplyEvent[];
  sent: Sent[];
  /** How long it waited. */
  slept: number;
}

const owned = ({ entries }: Ledger) => Object.keys(entries).sort();
const unmanagedIn = ({ unmanaged }: Plan) => unmanaged.map(({ address, id }) => `${address} ${id}`).sort();
const errorsOf = ({ diagnostics }: Plan) =>
  diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ code, message }) => `${code}: ${message}`);

/** Each change is told, and in one way. */
function expectAllTold({ plan, outcome: { done, failed, postponed, skipped } }: Ran): void {
  const told = [...done, ...[...failed, ...postponed, ...skipped].map(({ address }) => address)];
  const changed = plan.changes.filter(({ action }) => action !== 'noop').map(({ address }) => address);
  expect(told.sort()).toEqual(changed.sort());
}

/** No request that may have been carried out is sent again by the same run. */
function expectNoneTwice({ sent }: Ran): void {
  const again = sent.filter((one, index) =>
    sent.slice(0, index).some(({ text, isHeard }) => !isHeard && text === one.text),
  );
  expect(again.map(({ text }) => `sent again, nobody knows whether it was done: ${text}`)).toEqual([]);
}

/** What a run says is done the next plan does not want to do again. Lists that are behind, or lie, show something else. */
function expectDone({ outcome }: Ran, plan: Plan, { faults }: Trouble, hits: readonly Hit[]): void {
  if (faults.some((fault) => showsOther(fault.do, hits))) return;
  const done = new Set(outcome.done);
  // An object whose secret did not reach its variable is made again, which is told of the variable.
  const missed = new Set(
    plan.changes.flatMap(({ address, after }) =>
      done.has(address) ? [] : (after?.meta.secretOf?.object ?? []),
    ),
  );
  const undone = plan.changes.filter(
    ({ address, action }) => done.has(address) && action !== 'noop' && !missed.has(address),
  );
  expect(undone.map(({ action, address }) => `told as done: ${action} ${address}`)).toEqual([]);
}

/** A request that something was done to. */
type Hit = { method: string; path: string };

/** What passes for the true state of the account, and is none. */
const showsOther = (action: Fault['do'], hits: readonly Hit[]): boolean =>
  ['stale', 'cutList', 'leftOut', 'earlier', 'foreign'].includes(action.type) ||
  (action.type === 'lie' && action.form === 'an empty list') ||
  (action.type === 'status' && action.status === 404 && hits.some(({ method }) => method === 'GET'));

/** One fault fails at most what it hit; the rest is done, or depends on that. */
function expectBlame(ran: Ran, trouble: Trouble, faults: readonly Hit[]) {
  const { point } = trouble;
  if (!point || point.every || ['neighbour', 'lie', 'stale'].includes(point.do.type)) return;
  if (point.do.type !== 'neighbour' && showsOther(point.do, faults)) return;
  const { outcome, events, plan, slept } = ran;
  const failed = events.flatMap((event) => (event.type === 'failed' ? [event.operation] : []));
  const unfinished = [...outcome.failed, ...outcome.postponed, ...outcome.skipped].map(
    ({ address }) => address,
  );
  const [hit] = faults;
  if (!hit) return expect(unfinished).toEqual([]);
  const isWrite = hit.method !== 'GET';
  if (isTooLong(trouble)) {
    expect(slept).toBeLessThan(tooLong * 1000);
    if (isWrite) {
      expect(outcome.failed).toEqual([]);
      expect(outcome.postponed.length).toBeGreaterThan(0);
    }
    return;
  }
  const isTried =
    point.do.type === 'connectionReset' || (point.do.type === 'status' && point.do.status >= 500);
  const isPassing = point.do.type === 'rateLimit' || (!isWrite && isTried);
  if (isPassing) return expect(unfinished).toEqual([]);
  if (!isWrite) return;
  // It says what is so; of a staged list the answer is needed.
  const isTrue = point.do.type === 'status' && point.do.status === 404 && point.do.when === 'after';
  const isStaged = failed.some(({ requests }) => requests.some(({ stages }) => stages));
  if (isTrue && hit.method === 'DELETE' && !isStaged) return expect(unfinished).toEqual([]);
  // Of an answer without content nothing can be cut.
  if (failed.length === 0) return expect(unfinished).toEqual([]);
  // What has no name of its own may be what the lost request made: nothing more like it is made before that is known.
  const isNameless = !kinds.get(failed[0]!.kind)!.shape.isNamed;
  if (isNameless) return expect(new Set(failed.map(({ kind }) => kind)).size).toBe(1);
  expect(failed.map(({ id }) => id).length).toBe(1);
  const path = hit.path.split('?')[0]!;
  expect(
    failed[0]!.requests.some(({ endpoint }) => isOf(endpoint, hit.method, path)),
    `${failed[0]!.id} has no ${hit.method} ${path}`,
  ).toBe(true);
  const behindIt = new Set([failed[0]!.id]);
  for (const { id, dependsOn } of plan.operations)
    if (dependsOn.some((one) => behindIt.has(one))) behindIt.add(id);
  const allowed = new Set(
    plan.operations.filter(({ id }) => behindIt.has(id)).flatMap(({ changes }) => changes),
  );
  for (const { address, reason } of outcome.skipped) if (allowed.has(reason)) allowed.add(address);
  expect(unfinished.filter((address) => !allowed.has(address))).toEqual([]);
}

/** Whether a path is one of an endpoint. */
function isOf(endpoint: string, method: string, path: string): boolean {
  const [verb, template] = endpoint.split(' ') as [string, string];
  const [want, have] = [template.split('?')[0]!.split('/'), path.split('/')];
  return (
    verb === method &&
    want.length === have.length &&
    want.every((part, index) => part.includes('{') || part === have[index])
  );
}

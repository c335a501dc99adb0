import { Readable, Writable } from 'node:stream';
import { hosting } from '../providers/hosting/index.ts';
import { endsOfActions } from './cli/await-actions.ts';
import { applyingOf } from './cli/carry-out.ts';
import type { Host } from './cli/host.ts';
import { refuseEphemeral } from './cli/ledger-place.ts';
import { standard } from './cli/options.ts';
import { planningOf, type WritingOptions } from './cli/planning.ts';
import {
  type Loaded,
  loadFor,
  lockSession,
  openSession,
  requireWritable,
  type Session,
  unlockSession,
} from './cli/session.ts';
import { type Terminal, terminalFor } from './cli/terminal.ts';
import { render } from './config/render/render.ts';
import type { Address } from './model/address.ts';
import { type Diagnostic, hasErrors, Problems, problem } from './model/diagnostic.ts';
import type { ApplyEvent, Outcome, WaitEvent } from './model/event.ts';
import { asksForNothing, type Plan } from './model/plan.ts';
import type { Resource } from './model/resource.ts';
import { processHost } from './process-host.ts';
import { planText } from './report/plan-text.ts';
import { apply as run } from './run/apply.ts';
import { askedIn, awaitAsked, lookerOf } from './run/await-ready.ts';
import { refuseMissingSecrets } from './run/fill.ts';
import { openSettledPlan, type Planned } from './run/open-plan.ts';
import { standardSettle } from './run/unsettled.ts';
import { verify } from './run/verify.ts';

export type { Address } from './model/address.ts';
export type { Action, Change, FieldChange, Grade } from './model/change.ts';
export { type Diagnostic, Problems } from './model/diagnostic.ts';
export type { ApplyEvent, Outcome, WaitEvent } from './model/event.ts';
export type { Operation, Plan } from './model/plan.ts';
export type { Request } from './model/request.ts';
export type { Resource } from './model/resource.ts';

/** The working directory and environment of a program, and who hears its messages. */
export interface Surroundings {
  /** Paths and the ledger are relative to it. Default: the working directory of the process. */
  cwd?: string;
  /** Read in place of the environment of the process: `TRUEUP_TOKEN`, `TRUEUP_LEDGER_KEY`, `TRUEUP_SECRET_*` and the like. */
  env?: Record<string, string | undefined>;
  /** Told what a person would read on standard error: that it waits for a rate limit, for example. Default: nobody is told. */
  say?(text: string): void;
}

export interface LoadOptions extends Surroundings {
  /** Files and folders. Default: `trueup.yaml`, `trueup.yml` or the folder `trueup`. */
  files?: string[];
  /** Values of variables, by name, and YAML files with such values. */
  variables?: Record<string, string>;
  variableFiles?: string[];
  /** One of those that the configuration has under `stages`. */
  stage?: string;
  /** Permissions to read more: see `--allow-env`, `--allow-env-shown`, `--allow-files` and `--allow-command`. */
  allowEnv?: string[];
  allowEnvShown?: string[];
  allowFiles?: string[];
  allowCommand?: string[];
}

/** The configuration as the YAML declares it. */
export interface Configuration {
  readonly stack: string;
  /** By address, in their order. */
  readonly resources: ReadonlyMap<Address, Resource>;
  /** Warnings; what is wrong is thrown. */
  readonly diagnostics: readonly Diagnostic[];
  /** As `trueup render` prints it: with templates and patches worked in. */
  text(): string;
}

export interface PlanOptions {
  /** The embedded twin in `.trueup/`, in place of the platform. */
  twin?: boolean;
  /** The URL of the API. Default: `TRUEUP_BASE_URL`, else the platform's own. */
  baseUrl?: string;
  /** Default: `TRUEUP_TOKEN`. */
  token?: string;
  /** The place of the ledger: a file, `git` or `git:REMOTE`. Default: `TRUEUP_LEDGER`, else `.trueup/ledger/STACK.json`. */
  ledger?: string;
  /** The PostgreSQL database by which all runs with this token share its rate limits, as a URL. Default: `TRUEUP_LIMITS`. */
  limits?: string;
  /** Address globs: only these, with what they need; and all but these. */
  targets?: string[];
  excludes?: string[];
  /** Containers that may be deleted once their blocks are gone. */
  deletions?: Address[];
  maxDeletions?: number;
  /** The configuration wins where it and the account both changed. Default: that is an error. */
  overwriteConflicts?: boolean;
  /** Lets what costs money, or takes access away, happen: `cost`, `remove-access`. */
  allow?: ('cost' | 'remove-access')[];
  /** How many seconds the platform's lists may take to show a write. Default: 60; 0 for the twin. */
  settle?: number;
}

/** A plan, and the connection that it was made with. Close it in the end. */
export interface OpenPlan {
  readonly plan: Plan;
  /** Nothing is to be done. */
  readonly isEmpty: boolean;
  /** It has errors, and cannot be applied. */
  readonly hasErrors: boolean;
  /** As `trueup plan` prints it, without colours. */
  text(): string;
  close(): Promise<void>;
}

export interface ApplyOptions {
  onEvent?(event: ApplyEvent): void;
  /** How many operations at once. Default: 10. */
  parallelism?: number;
  /** Once aborted, what is in flight is finished and nothing new is started, and nothing is waited for any more. */
  signal?: AbortSignal;
  /** Told of the wait for what has `$wait`: what it waits for, and how each of that ends. */
  onWait?(event: WaitEvent): void;
}

export interface Applied {
  outcome: Outcome;
  /** The plan as it is now: empty if all is as it should be. None where something failed. */
  after?: Plan;
  /** The objects with `$wait` that did not become ready: time is over, they failed or are gone, or the wait was called off. None if all are ready. */
  notReady?: { address: Address; why: string }[];
  /** The `$then` actions with `wait` that were sent and have not ended well: what they set going failed, time is over, or the wait was called off. None if all have. */
  unfinished?: { id: string; why: string }[];
}

const loadedOf = new WeakMap<Configuration, { host: Host; options: WritingOptions; loaded: Loaded }>();
interface Opened {
  session: Session;
  planned: Planned;
  options: WritingOptions;
  terminal: Terminal;
  isBegun?: true;
}
const sessionOf = new WeakMap<OpenPlan, Opened>();

/** Reads a configuration. Throws `Problems` with all that is wrong with it. */
export async function load(given: LoadOptions = {}): Promise<Configuration> {
  const host = hostFor(given);
  const options: WritingOptions = {
    ...standard,
    settle: standardSettle,
    file: given.files,
    var: given.variables,
    varFile: given.variableFiles,
    stage: given.stage,
    allowEnv: given.allowEnv,
    allowEnvShown: given.allowEnvShown,
    allowFiles: given.allowFiles,
    allowCommand: given.allowCommand,
  };
  const loaded = await loadFor(hosting, options, listenerOf(host));
  const { desired, diagnostics } = loaded.configuration;
  const configuration: Configuration = {
    stack: desired.stack,
    resources: desired.resources,
    diagnostics,
    text: () => render(loaded.configuration),
  };
  loadedOf.set(configuration, { host, options, loaded });
  return configuration;
}

/** Reads the account and plans: no request of it writes. What is wrong is in `plan.diagnostics`; throws `Problems` where there can be no plan. */
export async function openPlan(configuration: Configuration, given: PlanOptions = {}): Promise<OpenPlan> {
  const { host: at, options: read, loaded } = known(loadedOf, configuration, 'load');
  const host = given.token === undefined ? at : { ...at, env: { ...at.env, TRUEUP_TOKEN: given.token } };
  const options: WritingOptions = {
    ...read,
    twin: given.twin,
    baseUrl: given.baseUrl,
    ledger: given.ledger,
    limits: given.limits,
    target: given.targets,
    exclude: given.excludes,
    delete: given.deletions,
    maxDeletions: given.maxDeletions,
    overwriteConflicts: given.overwriteConflicts,
    allow: given.allow,
    settle: given.settle ?? (given.twin ? 0 : standardSettle),
  };
  const terminal = listenerOf(host);
  const session = await openSession(hosting, options, terminal, { loaded });
  try {
    const planned = await openSettledPlan(session, planningOf(options, host, { unattended: true }));
    const { plan } = planned;
    const pace = await session.connection.paceNow(hosting.pace);
    const open: OpenPlan = {
      plan,
      isEmpty: asksForNothing(plan),
      hasErrors: hasErrors(plan.diagnostics),
      text: () => planText(plan, { style: terminal.outStyle, pace, requests: false }),
      close: () => session.close(),
    };
    sessionOf.set(open, { session, planned, options, terminal });
    return open;
  } catch (error) {
    await session.close();
    throw error;
  }
}

/**
 * Does what a plan says, keeps the ledger, looks whether it worked, and waits for what has `$wait`, and for `$then` actions with `wait`, by then without the ledger's lease. Never throws for what the platform answers: see the outcome.
 * Throws `Problems` where nothing may be begun: the plan has errors, another run holds the ledger, a secret is missing.
 */
export async function apply(open: OpenPlan, given: ApplyOptions = {}): Promise<Applied> {
  const opened = known(sessionOf, open, 'openPlan');
  const { session, planned, options, terminal } = opened;
  const { host } = session;
  if (opened.isBegun)
    throw new Problems([
      problem(
        'apply/again',
        'this plan is being applied or was applied already: a plan can be applied only once',
        {
          hint: 'close it and open a new one with `openPlan`, which shows what is left to do',
        },
      ),
    ]);
  if (open.hasErrors)
    throw new Problems(planned.plan.diagnostics.filter(({ severity }) => severity === 'error'));
  refuseEphemeral(options, host);
  requireWritable(session, options);
  refuseMissingSecrets(planned.plan.operations, session.secrets);
  opened.isBegun = true;
  await lockSession(session, options, terminal).catch((error) => {
    // Nothing was done: it may be tried again.
    delete opened.isBegun;
    throw error;
  });
  const outcome = await run(session, planned, {
    ...applyingOf(session, planned, options),
    ...(given.parallelism === undefined ? {} : { parallelism: given.parallelism }),
    ...(given.onEvent ? { onEvent: given.onEvent } : {}),
    ...(given.signal ? { stop: given.signal } : {}),
  });
  if (outcome.failed.length + outcome.skipped.length + outcome.left.length > 0) return { outcome };
  const verified = await verify(session, planned, {
    ...planningOf(options, host),
    within: options.settle * 1000,
    onWait: () => {},
    stop: given.signal ?? new AbortController().signal,
  });
  const notReady = await waitFor(session, verified.planned, given);
  const unfinished = await followActions(opened, outcome, given);
  return {
    outcome,
    after: verified.planned.plan,
    ...(notReady.length > 0 ? { notReady } : {}),
    ...(unfinished.length > 0 ? { unfinished } : {}),
  };
}

async function followActions(
  { session, planned, terminal }: Opened,
  outcome: Outcome,
  { signal: stop = new AbortController().signal }: ApplyOptions,
): Promise<NonNullable<Applied['unfinished']>> {
  const ends = await endsOfActions(session, planned, outcome, { stop, terminal });
  return ends.flatMap(({ action, minutes, end, state }) => {
    const words = {
      ended: `it ended as ${state}`,
      'under way': `it is still running after ${minutes} min`,
      stopped: 'the wait was called off',
    };
    return end === 'reached' ? [] : [{ id: action.id, why: words[end] }];
  });
}

async function waitFor(
  session: Session,
  planned: Planned,
  { signal, onWait }: ApplyOptions,
): Promise<NonNullable<Applied['notReady']>> {
  const asked = askedIn(planned.plan);
  if (asked.length === 0) return [];
  await unlockSession(session);
  const left = new Map<Address, string>(asked.map(({ address, why }) => [address, why]));
  await awaitAsked(asked, {
    look: lookerOf(session, planned),
    clock: session.clock,
    stop: signal ?? new AbortController().signal,
    onEvent(event) {
      if (event.type === 'ready') left.delete(event.address);
      else left.set(event.address, event.type === 'gone' ? 'it no longer exists' : event.why);
      onWait?.(event);
    },
  });
  return [...left].map(([address, why]) => ({ address, why }));
}

export interface TwinOptions {
  /** The first content of the account, in the twin's own format; the twin checks it. */
  seed?: unknown;
  /** Default: any that is free. */
  port?: number;
  /** The only one that it takes. Default: any. */
  token?: string;
}

/** Starts a twin of the platform on this machine: for tests, with `baseUrl: twin.url`. */
export const startTwin = (
  given: TwinOptions = {},
): Promise<{ url: string; openApiUrl: string; close(): Promise<void> }> => hosting.startTwin(given);

/** The terminal of a run that only `say` hears. It is no log of a runner, which is told secrets so that it hides them. */
const listenerOf = (host: Host): Terminal => ({
  ...terminalFor({ host, exitCode: 0 }, { color: false }),
  toRunner: () => {},
});

function hostFor({ cwd, env, say }: Surroundings): Host {
  const own = processHost();
  const sink = (tell?: (text: string) => void) =>
    new Writable({
      write(chunk, _, done) {
        tell?.(String(chunk).trimEnd());
        done();
      },
    });
  return {
    stdin: Readable.from([]),
    stdout: sink(),
    stderr: sink(say),
    env: env ?? own.env,
    cwd: cwd ?? own.cwd,
    processes: own.processes,
    clock: own.clock,
    onSignal: () => () => {},
    exit: (code) => {
      throw new Error(`the run ended with ${code}`);
    },
    engine: { ...own.engine, starting: () => {}, started: () => {} },
  };
}

function known<K extends object, V>(all: WeakMap<K, V>, key: K, maker: string): V {
  const found = all.get(key);
  if (!found) throw new TypeError(`this is not what \`${maker}\` gave`);
  return found;
}

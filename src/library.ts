import { hosting } from '../providers/hosting/index.ts';
import { createPlanOptions, type WritingOptions, withNormalAddresses } from './app/planning/plan-options.ts';
import type { Port } from './app/port.ts';
import { type LoadedConfiguration, loadForRun } from './app/session/load-configuration.ts';
import { openSession } from './app/session/open-session.ts';
import { standardOptions } from './app/stack-options.ts';
import { render } from './config/render/render.ts';
import { applyOpened, expectKey, hostFor, type Opened, portFor, textStyle } from './library/apply-opened.ts';
import type {
  Applied,
  ApplyOptions,
  Configuration,
  LoadOptions,
  OpenPlan,
  PlanOptions,
  TwinOptions,
} from './library/surface.ts';
import { hasErrors } from './model/diagnostic.ts';
import { asksForNothing } from './model/plan.ts';
import { planText } from './report/plan-text.ts';
import { openSettledPlan } from './run/open-plan.ts';
import { standardSettle } from './run/unsettled.ts';

export type * from './library/surface.ts';
export type { Address } from './model/address.ts';
export type { Change, ChangeAction as Action, FieldChange, Grade } from './model/change.ts';
export { type Diagnostic, Problems } from './model/diagnostic.ts';
export type { ApplyEvent, Outcome, WaitEvent } from './model/event.ts';
export type { Operation, Plan } from './model/plan.ts';
export type { Request } from './model/request.ts';
export type { Resource } from './model/resource.ts';

/** The members of loaded configurations and open plans that users of the library do not see. */
const loadedOf = new WeakMap<
  Configuration,
  { port: Port; options: WritingOptions; loaded: LoadedConfiguration }
>();
const sessionOf = new WeakMap<OpenPlan, Opened>();

/**
 * Reads a configuration from its files, the first step of a program that uses trueup as a library: `openPlan` takes the result, whose
 * internals are kept in `loadedOf`. Throws `Problems` with all of its errors.
 */
export async function load(loadOptions: LoadOptions = {}): Promise<Configuration> {
  const options = toCommandOptions(loadOptions);
  const port = portFor(hostFor(loadOptions), loadOptions);
  const loaded = await loadForRun(hosting, options, port);
  const { desired, diagnostics } = loaded.configuration;
  const configuration: Configuration = {
    stack: desired.stack,
    resources: desired.resources,
    diagnostics,
    text: () => render(loaded.configuration),
  };
  loadedOf.set(configuration, { port, options, loaded });
  return configuration;
}

/** Converts the options of `load` to those of the command line, which the rest of the program works with. */
const toCommandOptions = (options: LoadOptions): WritingOptions => ({
  ...standardOptions,
  settle: standardSettle,
  file: options.files,
  var: options.variables,
  varFile: options.variableFiles,
  stage: options.stage,
  allowEnv: options.allowEnv,
  allowEnvShown: options.allowEnvShown,
  allowFiles: options.allowFiles,
  allowCommand: options.allowCommand,
  allowLive: options.allowLive,
});

/**
 * Reads the account and plans what an apply would change, without changing anything: the second step of a program that uses trueup as a
 * library, after `load`. Errors of the plan are in `plan.diagnostics`. Throws `Problems` if no plan can be made, for example without a
 * token. The caller passes the result to `apply`, and closes it at the end.
 */
export async function openPlan(
  configuration: Configuration,
  planOptions: PlanOptions = {},
): Promise<OpenPlan> {
  const internals = findInternals(loadedOf, configuration, 'load');
  const { loaded } = internals;
  const port = withToken(internals.port, planOptions.token);
  const { host } = port.run;
  const options = withNormalAddresses(hosting, withPlanOptions(internals.options, planOptions));
  const session = await openSession(hosting, options, port, { loaded });
  expectKey(session, options, host);
  try {
    const planned = await openSettledPlan(session, createPlanOptions(options, host, { unattended: true }));
    const { plan } = planned;
    // The present rate limits, for the estimate of the duration in the text.
    const pace = await session.connection.paceNow();
    const open: OpenPlan = {
      plan,
      isEmpty: asksForNothing(plan),
      hasErrors: hasErrors(plan.diagnostics),
      text: () => planText(plan, { style: textStyle(host), pace, requests: false }),
      close: () => session.close(),
    };
    sessionOf.set(open, { session, planned, options, port });
    return open;
  } catch (error) {
    await session.close();
    throw error;
  }
}

/** Adds the options of `openPlan`, in the words of the command line, to those of `load`. */
const withPlanOptions = (loadingOptions: WritingOptions, options: PlanOptions): WritingOptions => ({
  ...loadingOptions,
  twin: options.twin,
  baseUrl: options.baseUrl,
  ledger: options.ledger,
  limits: options.limits,
  target: options.targets,
  exclude: options.excludes,
  maxDeletions: options.maxDeletions,
  overwriteConflicts: options.overwriteConflicts,
  allow: options.allow,
  canary: options.canary,
  // The lists of a twin show each write at once.
  settle: options.settle ?? (options.twin ? 0 : standardSettle),
});

/**
 * Returns the port of a run with the `token` that the caller of the library passed to `openPlan` instead of the one in the environment; the
 * same port if none is given.
 */
const withToken = (port: Port, token: string | undefined): Port =>
  token === undefined
    ? port
    : {
        ...port,
        run: { host: { ...port.run.host, env: { ...port.run.host.env, TRUEUP_TOKEN: token } } },
      };

/**
 * Applies a plan, writes the ledger, and plans again to verify the result. Then it waits for objects with `$wait` and for `$then` actions
 * with `wait`. It releases the lease before a wait; otherwise `close` does. Errors of the platform are in the outcome. Throws `Problems`
 * before it changes anything if the plan has errors, another run holds the lease or has written the ledger since the plan, or a secret is
 * missing; and if the lease is lost.
 */
export const apply = async (open: OpenPlan, applyOptions: ApplyOptions = {}): Promise<Applied> =>
  applyOpened(findInternals(sessionOf, open, 'openPlan'), applyOptions);

/** Starts a twin of the platform on this machine, for tests. Pass its `url` as `baseUrl` to `openPlan`. */
export const startTwin = (
  twinOptions: TwinOptions = {},
): Promise<{ url: string; openApiUrl: string; close(): Promise<void> }> => hosting.startTwin(twinOptions);

/**
 * Returns the internal members that the library keeps for a configuration or open plan: its caller gets the object without them, and passes
 * it back. `maker`: the library function which returned the object. Throws `TypeError` for any other object.
 */
function findInternals<K extends object, V>(internals: WeakMap<K, V>, object: K, maker: string): V {
  const members = internals.get(object);
  if (!members) throw new TypeError(`this is not what \`${maker}\` gave`);
  return members;
}

import { isIP } from 'node:net';
import { type Command, InvalidArgumentError } from 'commander';
import { createPlanOptions } from '../app/planning/plan-options.ts';
import { createSources, loadConfiguration } from '../app/session/load-configuration.ts';
import { openSession } from '../app/session/open-session.ts';
import type { StackOptions } from '../app/stack-options.ts';
import { parseSavedPlan } from '../approval/parse-saved-plan.ts';
import { readPlanText } from '../approval/plan-files.ts';
import { shownPlan } from '../approval/shown-plan.ts';
import { kindsOf } from '../kind/define-kind.ts';
import type { PlanViews, View } from '../kind/meaning.ts';
import type { Provider } from '../kind/provider.ts';
import { viewsOfSavedPlan } from '../meaning/saved-views.ts';
import { viewOfConfigurations, viewsOfPlan } from '../meaning/view.ts';
import { raise } from '../model/diagnostic.ts';
import type { VisitorRequest } from '../model/trace.ts';
import { type StateTrace, traceJson, traceText } from '../report/trace-text.ts';
import { openSessionPlan } from '../run/open-plan.ts';
import type { CommandRun } from '../terminal/command-run.ts';
import { type Terminal, terminalFor } from '../terminal/terminal.ts';
import { jsonOption } from './formats.ts';
import { withAccount } from './options.ts';

interface TraceOptions extends StackOptions {
  ip?: string;
  country?: string;
  header?: ReadonlyMap<string, string>;
  live?: boolean;
  plan?: string;
  json?: boolean;
}

/** Declares `trueup trace`. It shows how a configuration or an account answers a request of a visitor, and the rule that decides. */
export function traceCommand(command: Command, provider: Provider, run: CommandRun): void {
  withAccount(command)
    .argument(
      '<method>',
      'the method of the request: GET',
      parseValid((text) => /^[A-Z]+$/i.test(text), 'It must be a method, such as GET.'),
    )
    .argument('<url>', 'its URL: https://shop.example.com/admin', parseUrl)
    .option(
      '--ip <address>',
      'the IP address of the visitor',
      parseValid((text) => isIP(text) > 0, 'It must be an IP address.'),
    )
    .option(
      '--country <code>',
      'the country of the visitor: DE',
      parseValid((text) => /^[A-Z]{2}$/i.test(text), 'It must have two letters, such as DE.'),
    )
    .option('--header <name:value>', 'a header of the request; repeatable', addHeader)
    .option('--live', 'the account as it is, and as it will be after an apply; reads the account')
    .option('--plan <file>', 'a plan saved by `plan --out`: before and after it; needs no account')
    .addOption(jsonOption())
    .action((method: string, url: URL, options: TraceOptions) => {
      const { ip, country, header = new Map() } = options;
      const request = { method, url, ip, country, headers: header };
      return printTraces(request, provider, options, terminalFor(run, options));
    });
}

/** Prints for `trueup trace` how a request is answered in the declared state, or before and after a plan (saved, or of the account). */
async function printTraces(
  request: VisitorRequest,
  provider: Provider,
  options: TraceOptions,
  terminal: Terminal,
): Promise<void> {
  const trace = await (await provider.meaning()).loadTrace();
  const views = await readViews(provider, options, terminal);
  const traces = views.map(({ state, view }): StateTrace => ({ state, trace: trace(view, request) }));
  if (options.json) return terminal.out(traceJson(request, traces));
  const [first, second] = traces.map((stateTrace) => JSON.stringify(stateTrace.trace));
  // Two equal traces would hide that the plan changes nothing for this request. The declared state has no second trace.
  const shown = first === second ? [{ ...traces[0]!, state: 'before and after' }] : traces;
  const look = { style: terminal.outStyle, verbose: options.verbose ?? false };
  terminal.out(traceText(request, shown, look));
}

/** A state in which a request is followed, with its name for people. */
interface ViewedState {
  state: string;
  view: View;
}

/** Names the states before and after a plan. */
const beforeAndAfter = ({ before, after }: PlanViews): ViewedState[] => [
  { state: 'before', view: before },
  { state: 'after', view: after },
];

/**
 * Returns the states in which `trueup trace` follows a request: the declared one, the account with `--live` (before and after the plan), or those of
 * a saved plan. Throws `Problems` if they cannot be read.
 */
async function readViews(
  provider: Provider,
  options: TraceOptions,
  terminal: Terminal,
): Promise<ViewedState[]> {
  const { host } = terminal.run;
  const kinds = kindsOf(provider.kinds);
  if (options.plan !== undefined && options.live)
    raise('cli/options', '--live and --plan exclude each other');
  if (options.plan !== undefined) {
    const plan = shownPlan(parseSavedPlan(await readPlanText(options.plan, host), options.plan));
    return beforeAndAfter(viewsOfSavedPlan(plan, kinds));
  }
  if (!options.live) {
    const loading = { sources: createSources(options, host), isOnlyShown: true };
    const { desired } = await loadConfiguration(provider, options, terminal.run, loading);
    return [{ state: 'declared', view: viewOfConfigurations([desired]) }];
  }
  const session = await openSession(provider, options, terminal);
  try {
    const { live, plan, desired } = await openSessionPlan(session, createPlanOptions(options, host));
    return beforeAndAfter(viewsOfPlan(live, plan.changes, { desired, kinds }));
  } finally {
    await session.close();
  }
}

/** Returns the URL of the command line of `trueup trace`, without user and password. Throws for a text that is no `http` or `https` URL. */
function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // No request has the password of its URL, so no output shows it.
  if (url?.protocol === 'https:' || url?.protocol === 'http:')
    return Object.assign(url, { username: '', password: '' });
  throw new InvalidArgumentError('It must be a URL, such as https://shop.example.com/admin.');
}

/** Returns a parser of texts for which `isValid` is true, in upper case. */
const parseValid = (isValid: (text: string) => boolean, expectation: string) => (text: string) => {
  if (isValid(text)) return text.toUpperCase();
  throw new InvalidArgumentError(expectation);
};

/** Adds a `--header NAME:VALUE` of `trueup trace` to those before it, by its name in lower case. */
function addHeader(text: string, earlier: ReadonlyMap<string, string> = new Map()): Map<string, string> {
  const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(text) ?? [];
  if (name === undefined) throw new InvalidArgumentError('It must be NAME:VALUE.');
  return new Map([...earlier, [name.toLowerCase(), value!]]);
}

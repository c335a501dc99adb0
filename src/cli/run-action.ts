import { randomUUID } from 'node:crypto';
import { type LookupRow, memberAtPath, openFields } from '../action/lookup-rows.ts';
import { checkInput, parseInput } from '../action/parse-input.ts';
import { type ActionRequest, prepareRequest } from '../action/prepare-request.ts';
import { ActionRefused, sendAction } from '../action/send-action.ts';
import { type ActionContext, type ActionOptions, openActionContext } from '../app/actions/action-context.ts';
import { lookupGround } from '../app/actions/create-lookup-reader.ts';
import { type ActionSubject, addressFormOf, findSubject } from '../app/actions/read-only-account.ts';
import { openSecretDelivery } from '../app/actions/secret-delivery.ts';
import { sourcesFor } from '../app/session/sources-for.ts';
import { resolveSecrets } from '../config/resolve-secrets.ts';
import { createStandIns } from '../config/stand-ins.ts';
import { quoted } from '../config/suggest.ts';
import type { Action, Sending } from '../kind/action.ts';
import type { Input, Lookup } from '../kind/lookup.ts';
import type { Provider } from '../kind/provider.ts';
import type { ApiObject } from '../kind/read.ts';
import { canonical } from '../model/canonical.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import type { OwedAction } from '../model/planned-action.ts';
import type { Request } from '../model/request.ts';
import { revealed } from '../model/sealed.ts';
import { diagnosticsText } from '../report/diagnostics-text.ts';
import { awaitAction, confirmAction, printActionResult } from './action-steps.ts';
import { resolveNamedSecrets, splitPairs } from './api-request.ts';
import type { RowsOptions } from './print-rows.ts';
import { isYes, type Terminal } from './terminal.ts';

/** How long a person waits for the platform's lists to show what an unanswered request made, in milliseconds. */
const visibleWithin = 60_000;

/** The options of `run`. */
export interface RunOptions extends ActionOptions, RowsOptions {}

/** An action that somebody asked for. */
interface RequestedAction {
  action: Action;
  address: string | undefined;
  lookups: ReadonlyMap<string, Lookup>;
}

/** Runs one action: finds what it is about, shows the request, asks, sends it once, and tells what came of it. Throws `Problems`. */
export async function runAction(
  provider: Provider,
  { action, address, lookups }: RequestedAction,
  options: RunOptions,
  terminal: Terminal,
): Promise<void> {
  refuseOddWait(action, options);
  const words = splitPairs(options.input);
  // What is wrong with the words is told before anything is opened.
  const { about: named, asked } = withoutAbout(action, address, words);
  const secret = splitPairs(options.secretInput);
  const isOwed = options.again || options.skip;
  const typed = isOwed
    ? {}
    : parseInput(
        asked,
        omitMembers(
          action.input,
          secret.map(([name]) => name),
        ),
        taking(action),
      );
  const ground = await openActionContext(provider, options, terminal);
  let done: { sending: Sending; answer: ApiObject } | undefined;
  try {
    const about = await aboutFor(action, named, ground);
    const debts = debtsFor(action, about, ground);
    const debt = isOwed ? theDebt(action, about, debts) : undefined;
    if (options.skip) return await skip(action, about, debt!, options, ground, terminal);
    const input = {
      ...(debt ? await owedInput(debt, ground) : typed),
      ...(await secretInput(action, secret, ground, options, terminal)),
    };
    const isPaid = (one: Debt) => one === debt || canonical(one[1].input) === canonical(revealed(input));
    const settled = debts.filter(isPaid).map(([id]) => id);
    const ids = about?.ids ?? new Map<string, string>();
    const given = { input, ids, mark: randomUUID() };
    const reading = lookupGround(ground);
    const request = await prepareRequest(action, given, reading);
    if ('nothing' in request) return terminal.say(`Nothing to do: ${request.nothing}.`);
    if ('busy' in request) throw notNow(action, request.busy);
    const delivery = await openSecretDelivery(action, request.request, about, options, ground, terminal);
    const warnings = await ground.judge(action, about, request.request);
    terminal.say(diagnosticsText(warnings, { style: terminal.errStyle }));
    if (!(await confirmAction(action, request.request, about, options, ground, terminal))) return;
    const answer = await ground.runRecorded(
      { name: action.name, about, settled, debt: debt?.[0] },
      async () => {
        if (action.finds) refuseOther(action, request.request, await prepareRequest(action, given, reading));
        const { clock } = terminal.run.host;
        const stop = new AbortController();
        const stopListening = ground.onInterrupt(() => stop.abort());
        const how = { clock, stop: stop.signal, say: terminal.say };
        return sendAction(action, request.request, {
          ...reading,
          lookups,
          ids,
          mark: given.mark,
          since: clock.now(),
          searchFor: visibleWithin,
          ...how,
        }).finally(stopListening);
      },
    );
    done = { sending: request.sending, answer };
    const row = answerRowOf(action, answer);
    await delivery?.deliver(answer);
    printActionResult(action, about, row, options, ground.masking, terminal);
    if (options.wait) await awaitAction(action, { ...done, ids, lookups }, options, ground, terminal);
  } finally {
    await ground.close();
  }
}

type Debt = [id: string, OwedAction];

/** The actions that applies owe for this object. */
const debtsFor = (
  { name }: Action,
  about: ActionSubject | undefined,
  { owedActions: owed }: ActionContext,
): Debt[] => Object.entries(owed).filter(([, one]) => one.action === name && one.about === about?.address);

/** The debt that `--again` and `--skip` are about. Throws `Problems` where there is none, or there are several. */
function theDebt({ name }: Action, about: ActionSubject | undefined, debts: readonly Debt[]): Debt {
  const what = [name, about?.address].filter((part) => part !== undefined).join(' ');
  const [first, second] = debts;
  if (first && !second) return first;
  throw new Problems([
    first
      ? problem(
          'run/not-owed',
          `${debts.length} of ${what} are pending: ${debts.map(([id]) => id).join(', ')}`,
          {
            hint: 'run it with its --input instead of --again: that completes the one with this input',
          },
        )
      : problem('run/not-owed', `no ${what} of this stack is pending`, {
          hint: '`trueup plan` shows pending actions; to just run it, drop --again and --skip',
        }),
  ]);
}

/** The input with which an owed action is sent; values from elsewhere are read now. Throws `Problems` if one is unknown. */
async function owedInput([id, { input }]: Debt, ground: ActionContext): Promise<Input> {
  const filled = await ground.fillInput(input);
  if (filled) return filled;
  throw new Problems('run/not-owed', `what ${id} is given cannot be told here`, {
    hint: 'run it with its --input in place of --again, and then drop it with --skip',
  });
}

/** Drops what an apply owes, and says so. */
async function skip(
  { name }: Action,
  about: ActionSubject | undefined,
  [id, { run = 'an earlier run' }]: Debt,
  { autoApprove }: RunOptions,
  ground: ActionContext,
  terminal: Terminal,
): Promise<void> {
  const isAgreed =
    autoApprove ||
    (await isYes(terminal, {
      question: `Drop ${id}, pending since ${run}?`,
      unattended: problem('cli/unattended', 'run needs a terminal or --auto-approve; nothing was changed', {
        hint: 'pass --auto-approve if this has already been approved',
      }),
    }));
  if (!isAgreed) return;
  await ground.runRecorded({ name: `${name} (skipped)`, about, settled: [id], debt: id }, async () => {});
  terminal.say(`Dropped: ${id}, pending since ${run}. Nothing was sent.`);
}

const taking = ({ name }: Action) => ({ name, flag: '--input' });

const answerRowOf = ({ output, item }: Action, answer: ApiObject): LookupRow =>
  openFields((memberAtPath(answer, item) ?? {}) as Input, output);

function omitMembers<T>(all: Record<string, T>, names: string[]): Record<string, T> {
  return Object.fromEntries(Object.entries(all).filter(([name]) => !names.includes(name)));
}

/** The object of an action: its address, or an input with the name of the kind. */
function withoutAbout({ name, on }: Action, address: string | undefined, words: [string, string][]) {
  const given = words.filter(([field]) => field === on).map(([, value]) => value);
  const all = [...(address === undefined ? [] : [address]), ...given];
  if (all.length > 1) throw new Problems('asked/about', `${name} acts on one ${on}, but two are given`);
  if (address !== undefined && on === undefined)
    throw new Problems('asked/about', `${name} acts on the account and takes no address`, {
      hint: 'pass its input with --input',
    });
  return { about: all[0], asked: words.filter(([field]) => field !== on) };
}

async function aboutFor(
  { name, on }: Action,
  named: string | undefined,
  { kinds, context }: ActionContext,
): Promise<ActionSubject | undefined> {
  if (on === undefined) return undefined;
  if (named !== undefined) return findSubject(named, on, context);
  throw new Problems('asked/missing', `${name} acts on a ${on}, but none is given`, {
    hint: `name it: \`trueup run ${name} ${addressFormOf(on, kinds)}\``,
  });
}

/** Inputs that are secrets of the configuration. Where the action does not expect one, it is no secret there, and would be shown. */
async function secretInput(
  action: Action,
  words: [string, string][],
  { configuration, kinds, masking }: ActionContext,
  options: RunOptions,
  terminal: Terminal,
): Promise<Input> {
  if (words.length === 0) return {};
  const { host } = terminal.run;
  const { cwd, env } = host;
  const sources = sourcesFor(options, host, terminal);
  const secrets = await resolveNamedSecrets(
    configuration,
    { secretField: words.map((pair) => pair.join('=')) },
    (declared) =>
      options.twin ? createStandIns(declared, kinds) : resolveSecrets(declared, { env, cwd, sources }),
  );
  for (const secret of secrets.values()) masking.know(secret);
  const raw = Object.fromEntries([...secrets].map(([name, value]) => [name, value.reveal()]));
  const unknown = Object.keys(raw).filter((name) => !Object.hasOwn(action.input, name));
  if (unknown.length > 0)
    throw new Problems(
      unknown.map((name) => problem('asked/unknown', `${action.name} takes no ${quoted(name)}`)),
    );
  checkInput(
    raw,
    Object.fromEntries(Object.keys(raw).map((name) => [name, action.input[name]!])),
    taking(action),
  );
  return Object.fromEntries(secrets);
}

/** It cannot be done while something else is under way. */
const notNow = ({ name }: Action, why: string) =>
  new ActionRefused(
    [problem('run/busy', `${name} cannot be sent now: ${why}`, { hint: 'run it again once that is over' })],
    { isForLater: true },
  );

/** While a person thought, the account may have changed: what is sent is what was shown. */
function refuseOther({ name }: Action, shown: Request, actionRequest: ActionRequest): void {
  if ('request' in actionRequest && canonical(revealed(actionRequest.request)) === canonical(revealed(shown)))
    return;
  throw new Problems('run/changed', `the request for ${name} changed after it was shown; nothing was sent`, {
    hint: 'run it again to see the current request',
  });
}

function refuseOddWait({ name, until }: Action, { wait }: RunOptions): void {
  if (wait && !until)
    throw new Problems('run/no-wait', `${name} finishes with its response: there is nothing to wait for`, {
      hint: 'drop --wait',
    });
}

/*
 * The steps of `trueup run` between the command line and the request. Terms:
 *
 *   subject      the object that an action acts on, such as a project; some actions act on the whole account
 *   owed action  an action of `$then` that an apply had to leave undone; the ledger keeps it by an id until a run sends or drops it
 */
import { randomUUID } from 'node:crypto';
import { quoted } from '../config/suggest.ts';
import type { Host } from '../host.ts';
import type { Action, Sending } from '../kind/action.ts';
import type { Input, Lookup } from '../kind/lookup.ts';
import type { ApiOperation } from '../kind/provider.ts';
import type { ApiObject } from '../kind/read.ts';
import { problem, raise } from '../model/diagnostic.ts';
import { canonicalJson } from '../model/digest.ts';
import type { Ledger } from '../model/ledger.ts';
import type { OwedAction } from '../model/planned-action.ts';
import type { Request } from '../model/request.ts';
import { revealed, type Sealed } from '../model/sealed.ts';
import { lookupContextOf } from './create-lookup-reader.ts';
import { type AccountContext, type ActionSubject, addressFormOf, findSubject } from './find-subject.ts';
import { checkInput, parseInput } from './parse-input.ts';
import { prepareRequest } from './prepare-request.ts';
import type { LookupContext } from './read-lookup.ts';
import { ActionRefused, sendAction } from './send-action.ts';

/** The account, and the stack if there is one, in which an action is sent. */
export interface ActionAccount extends AccountContext {
  operations: readonly ApiOperation[];
  /** The owed actions of the stack by id; none without a stack. */
  owedActions: NonNullable<Ledger['owed']>;
  /** Returns the input of an owed action with the values of its references; undefined if a value is not known. */
  fillInput(input: OwedAction['input']): Promise<Input | undefined>;
  /** Does the work under the lease, and records its start and its end. If it succeeds, the actions of `settled` are no longer owed. */
  runRecorded<T>(run: RecordedRun, work: () => Promise<T>): Promise<T>;
  /** Makes Ctrl-C call `listener` instead of ending the run. Returns a function which undoes this. */
  onInterrupt(listener: () => void): () => void;
}

/** The facts for the record of one action. */
export interface RecordedRun {
  /** The name of the action in the history. */
  name: string;
  about: ActionSubject | undefined;
  /** The ids of the owed actions that are no longer owed afterwards. */
  settled: readonly string[];
  /** The id of the owed action that the user chose to run. It must still be owed, because another run may have settled it meanwhile. */
  debt?: string | undefined;
}

/** A name and a value, as `--input NAME=VALUE` has them. */
type Pair = readonly [name: string, value: string];

/**
 * Separates the subject of `trueup run` (the object that the action is about) from its input: the subject is the address, or an `--input`
 * with the name of the subject's kind. Throws `Problems` for two subjects, and for an address if the action acts on the account.
 */
export function splitSubject({ name, on }: Action, address: string | undefined, pairs: Pair[]) {
  const subjects = pairs.filter(([member]) => member === on).map(([, value]) => value);
  if (address !== undefined) subjects.unshift(address);
  if (subjects.length > 1) raise('asked/about', `${name} acts on one ${on}, but two are given`);
  if (address !== undefined && on === undefined)
    raise('asked/about', `${name} acts on the account and takes no address`, {
      hint: 'pass its input with --input',
    });
  return { subjectName: subjects[0], inputPairs: pairs.filter(([member]) => member !== on) };
}

/**
 * Parses the input of an action by its schemas. `secretNames`: members that come from secrets and are not expected here. Throws `Problems`.
 */
export function parseActionInput(action: Action, pairs: readonly Pair[], secretNames: string[]): Input {
  const schemas = Object.entries(action.input).filter(([name]) => !secretNames.includes(name));
  return parseInput(pairs, Object.fromEntries(schemas), { name: action.name, flag: '--input' });
}

/**
 * Checks the values of `--secret-input` of `trueup run` before anything is sent. Throws `Problems` for
 * secrets that the action does not take, because it would send and show them as ordinary values, and for
 * values that it does not accept.
 */
export function checkSecretInput(action: Action, secrets: ReadonlyMap<string, Sealed>): void {
  const names = [...secrets.keys()];
  const unknown = names.filter((name) => !Object.hasOwn(action.input, name));
  if (unknown.length > 0)
    raise(unknown.map((name) => problem('asked/unknown', `${action.name} takes no ${quoted(name)}`)));
  const values = Object.fromEntries([...secrets].map(([name, secret]) => [name, secret.reveal()]));
  const schemas = Object.fromEntries(names.map((name) => [name, action.input[name]!]));
  checkInput(values, schemas, { name: action.name, flag: '--secret-input' });
}

/**
 * Finds the subject of `trueup run` (the object that the action is about) by the name or address that the user gave. Returns undefined if
 * the action acts on the whole account. Throws `Problems` if the user gave none.
 */
export async function requireSubject(
  { name, on }: Action,
  subjectName: string | undefined,
  account: ActionAccount,
): Promise<ActionSubject | undefined> {
  if (on === undefined) return undefined;
  if (subjectName !== undefined) return findSubject(subjectName, on, account);
  raise('asked/missing', `${name} acts on a ${on}, but none is given`, {
    hint: `name it: \`trueup run ${name} ${addressFormOf(on, account.kinds)}\``,
  });
}

/** An owed action with its id. */
export type OwedEntry = [id: string, OwedAction];

/**
 * Returns the owed actions of this name for this object, with their ids: actions of `$then` that an apply had
 * to send and did not. `trueup run` sends or drops them.
 */
export const owedFor = (
  { name }: Action,
  subject: ActionSubject | undefined,
  { owedActions }: ActionAccount,
): OwedEntry[] =>
  Object.entries(owedActions).filter(([, owed]) => owed.action === name && owed.about === subject?.address);

/**
 * Returns the only owed action (one that an apply had to send for `$then` and did not), which `trueup run --again` sends and `--skip`
 * drops. Throws `Problems` if there is none, or if the flags could mean several.
 */
export function requireOneOwed(
  { name }: Action,
  subject: ActionSubject | undefined,
  owed: readonly OwedEntry[],
): OwedEntry {
  const [first, second] = owed;
  if (first && !second) return first;
  const description = subject ? `${name} ${subject.address}` : name;
  if (!first)
    raise('run/not-owed', `no ${description} of this stack is pending`, {
      hint: '`trueup plan` shows pending actions; to just run it, drop --again and --skip',
    });
  raise(
    'run/not-owed',
    `${owed.length} of ${description} are pending: ${owed.map(([id]) => id).join(', ')}`,
    { hint: 'run it with its --input instead of --again: that completes the one with this input' },
  );
}

/**
 * Returns the input with which `trueup run --again` sends an owed action (one of `$then` that an apply left
 * undone). The ledger keeps references in it, which get the values of today. Throws `Problems` if one of them
 * is unknown.
 */
export async function fillOwedInput([id, { input }]: OwedEntry, account: ActionAccount): Promise<Input> {
  const filled = await account.fillInput(input);
  if (filled) return filled;
  raise('run/not-owed', `the input of ${id} refers to an object that is not known here`, {
    hint: 'run the action with `--input` instead of `--again`, then drop this entry with `--skip`',
  });
}

/** An action that is ready to be shown, confirmed and sent. */
interface PreparedAction {
  action: Action;
  subject: ActionSubject | undefined;
  input: Input;
  /** Identifies the request, so that its effect is found if no answer comes. */
  mark: string;
  request: Request;
  sending: Sending;
}

/**
 * Composes the request of an action, for the user to confirm. It gets a random mark, by which the object that
 * it makes can be found if no answer comes. Returns the reason if there is nothing to do. Throws `ActionRefused`
 * if the platform is busy with something that has to finish first, so that the user may try again later.
 */
export async function prepareAction(
  action: Action,
  subject: ActionSubject | undefined,
  input: Input,
  account: ActionAccount,
): Promise<PreparedAction | { nothing: string }> {
  const mark = randomUUID();
  const values = { input, ids: idsOf(subject), mark };
  const composed = await prepareRequest(action, values, lookupContextOf(account));
  if ('nothing' in composed) return composed;
  if ('busy' in composed) {
    const busy = problem('run/busy', `${action.name} cannot be sent now: ${composed.busy}`, {
      hint: 'run it again once that is over',
    });
    throw new ActionRefused([busy], { isForLater: true });
  }
  return { action, subject, input, mark, ...composed };
}

/** Returns the ids of a subject and of the objects around it, by kind. */
export const idsOf = (subject: ActionSubject | undefined): ReadonlyMap<string, string> =>
  subject?.ids ?? new Map<string, string>();

/** The owed actions that sending an action settles, and the lookups that find its result if no answer comes. */
export interface SendOptions {
  /** The owed actions of the subject. Those with the same input count as done once this one is. */
  owed: readonly OwedEntry[];
  /** The owed action that is sent. */
  repeated: OwedEntry | undefined;
  lookups: ReadonlyMap<string, Lookup>;
}

/** How long the platform's lists may take to show the effect of a request without an answer, in milliseconds. */
const searchTime = 60_000;

/**
 * Sends an action of `trueup run` that the user has confirmed, once, under the lease and with a record in the
 * history, and returns the answer. An owed action (one of `$then` that an apply left undone) with the same
 * input is settled by it. Ctrl-C ends only the search for a missing answer. Throws `Problems` if the account
 * has changed so that another request would be sent than the confirmed one.
 */
export function sendPreparedAction(
  prepared: PreparedAction,
  { owed, repeated, lookups }: SendOptions,
  account: ActionAccount,
  port: { run: { host: Pick<Host, 'clock'> }; say(text: string): void },
): Promise<ApiObject> {
  const { action, subject, input, mark, request } = prepared;
  const { clock } = port.run.host;
  const settled = owed.filter(
    (entry) => entry === repeated || canonicalJson(entry[1].input) === canonicalJson(revealed(input)),
  );
  const record = {
    name: action.name,
    about: subject,
    settled: settled.map(([id]) => id),
    debt: repeated?.[0],
  };
  return account.runRecorded(record, async () => {
    const lookupContext = lookupContextOf(account);
    await refuseChangedRequest(prepared, lookupContext);
    const stop = new AbortController();
    const stopListening = account.onInterrupt(() => stop.abort());
    return sendAction(action, request, {
      ...lookupContext,
      lookups,
      ids: idsOf(subject),
      mark,
      since: clock.now(),
      searchFor: searchTime,
      clock,
      stop: stop.signal,
      say: port.say,
    }).finally(stopListening);
  });
}

/**
 * Throws `Problems` if an action would now send another request than the one that the user confirmed. An action that takes part of its
 * request from the account (`finds`) reads it again, because time has passed while the user was asked.
 */
async function refuseChangedRequest(
  { action, subject, input, mark, request }: PreparedAction,
  lookupContext: LookupContext,
): Promise<void> {
  if (!action.finds) return;
  const current = await prepareRequest(action, { input, ids: idsOf(subject), mark }, lookupContext);
  if ('request' in current && canonicalJson(revealed(current.request)) === canonicalJson(revealed(request)))
    return;
  raise('apply/changed', `the request for ${action.name} changed after it was shown; nothing was sent`, {
    hint: 'run it again to see the current request',
  });
}

/**
 * Removes an owed action (one of `$then` that an apply left undone) from the ledger without sending it, for
 * `trueup run --skip`, and records that in the history. Throws `Problems` if another run has settled it meanwhile
 * (`debt`).
 */
export const dropOwed = (
  { name }: Action,
  subject: ActionSubject | undefined,
  [id]: OwedEntry,
  account: ActionAccount,
): Promise<void> =>
  account.runRecorded({ name: `${name} (skipped)`, about: subject, settled: [id], debt: id }, async () => {});

/** Throws `Problems` for `trueup run --wait` with an action that has no end to wait for, since its response is the result. */
export function refuseUselessWait({ name, until }: Action, { wait }: { wait?: boolean }): void {
  if (wait && !until)
    raise('run/no-wait', `${name} finishes with its response: there is nothing to wait for`, {
      hint: 'drop --wait',
    });
}

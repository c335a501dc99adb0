/*
 * `trueup accept`: writes changes that were made outside (in the dashboard, for example) into the YAML, so that the next plan does not revert them.
 *
 *   1. Plan the account as it is.
 *   2. Compute new texts for the files. Values that may be secrets need the user's permission.
 *      A value is written where its data is, such as a cell of a CSV file, unless something else depends on that data (`acceptSafely`).
 *   3. Read the new texts, and plan again against the same reading of the account. The plan must not contain an accepted change any more,
 *      and nothing else may differ. Otherwise nothing is written.
 *   4. Show the difference, ask, and write all files or none.
 */
import {
  type AcceptResult,
  accept,
  type ChangedFile,
  describeResult,
  nothingToAcceptText,
} from '../../accept/accept.ts';
import { acceptSafely } from '../../accept/accept-safely.ts';
import {
  type AcceptedFiles,
  acceptedPathsOf,
  diffAccepted,
  rereadAccepted,
  unprovenProblems,
} from '../../accept/accepted-files.ts';
import { confirmPossibleSecrets, findAdditions } from '../../accept/additions.ts';
import { type AcceptedPaths, findDefects } from '../../accept/find-defects.ts';
import type { RefusedOrigins } from '../../accept/origin-edit.ts';
import { findReorderedLists, type NewOrder } from '../../accept/reorder-lists.ts';
import type { ConfigurationText, WrittenConfiguration } from '../../config/configuration.ts';
import { load } from '../../config/load.ts';
import { findPossibleSecrets, hasOtherValueIn } from '../../export/secret-names.ts';
import { writeAllOrNone } from '../../files/write-files.ts';
import type { Provider } from '../../kind/provider.ts';
import type { Address } from '../../model/address.ts';
import { type Diagnostic, problem, raise, raiseErrors, shellQuoted } from '../../model/diagnostic.ts';
import { createAddressMatcher } from '../../model/glob.ts';
import { addressAfter } from '../../model/move.ts';
import type { Plan } from '../../model/plan.ts';
import { type Desired, standardInput } from '../../model/resource.ts';
import { namesInPath } from '../../model/value.ts';
import { mayContainMatch } from '../../observe/observe-account.ts';
import { createUnmatchedGlobProblems } from '../../plan/select-changes.ts';
import { type OpenPlanOptions, openPlan, type Planned } from '../../run/open-plan.ts';
import { readCache } from '../../run/read-cache.ts';
import { createPlanOptions, type PlanningOptions } from '../planning/plan-options.ts';
import type { Port } from '../port.ts';
import { createLoadOptions, loadForRun } from '../session/load-configuration.ts';
import { openSession } from '../session/open-session.ts';
import type { Session } from '../session/session.ts';
import type { StackOptions } from '../stack-options.ts';
import { createCheckOfOtherStacks } from './check-other-stacks.ts';
import { readEditableText } from './editable-text.ts';

/** The options of `trueup accept`. */
export interface AcceptOptions extends StackOptions {
  /** Accept everything that was changed outside since the last apply. */
  all?: boolean;
  autoApprove?: boolean;
  /** Globs of live objects to declare although the configuration does not have them. */
  new?: string[];
  /** Globs of objects whose values are written even though they may be secrets. */
  values?: string[];
}

/** The port of an accept, with the questions and reports that depend on the terminal. */
export interface AcceptPort extends Port {
  /** Shows the difference of the files. */
  out(text: string): void;
  /** Reports parts of the account that could not be read. `isRequested`: one of them was to be accepted, so the command fails. */
  reportUnread(problems: Diagnostic[], isRequested: boolean): void;
  /** Asks whether to write the files. */
  confirm(files: readonly ChangedFile[]): Promise<boolean>;
}

/** The configuration keeps its text, because an accept edits it. */
type AcceptSession = Session & { configuration: WrittenConfiguration };

/** An accept after its plan. */
interface AcceptRun {
  provider: Provider;
  /** The addresses or globs that the user named; empty for `--all`, and if only `--new` names objects. */
  addresses: string[];
  options: AcceptOptions;
  port: AcceptPort;
  session: AcceptSession;
  planned: Planned;
  /** The texts that may be edited. */
  written: ConfigurationText;
}

/**
 * Runs `trueup accept`: writes changes that were made outside, such as in the dashboard, into the YAML. Plans the account before the edit, and again
 * with the edited YAML to prove that the accepted changes are gone. `addresses`: globs of the objects to accept. Throws `Problems`; then nothing is
 * written.
 */
export async function acceptChanges(
  provider: Provider,
  addresses: string[],
  options: AcceptOptions,
  port: AcceptPort,
): Promise<void> {
  refuseUnclearSelection(addresses, options);
  const loaded = await loadForRun(provider, options, port);
  const openedSession = await openSession(provider, options, port, { loaded });
  try {
    // Both plans see the same account, so a change in between cannot look like a wrong text.
    const { connection } = openedSession;
    openedSession.connection = { ...connection, send: readCache(connection.send).send };
    const { configuration } = loaded;
    const session = Object.assign(openedSession, { configuration, writes: true });
    const planned = await openPlan(session, planOptionsFor(options, port));
    const written = await readEditableText(configuration, port.run.host);
    await acceptPlanned({ provider, addresses, options, port, session, planned, written });
  } finally {
    await openedSession.close();
  }
}

/**
 * Checks the options of `trueup accept` before anything is read. Throws `Problems` if they name nothing to accept, name it twice, or read
 * standard input, because that cannot be written.
 */
function refuseUnclearSelection(addresses: string[], options: AcceptOptions): void {
  const { all: isAll, new: newGlobs = [], file = [] } = options;
  if (file.includes(standardInput))
    raise('accept/input', 'standard input cannot be written to', { hint: 'name the files: -f PATH' });
  if (isAll && addresses.length > 0) raise('cli/options', '--all and addresses exclude each other');
  if (!isAll && addresses.length === 0 && newGlobs.length === 0)
    raise('accept/nothing-named', 'nothing to accept was named', {
      hint: "name it, as in `trueup accept 'projects/web/**'`, or accept everything that changed outside: `trueup accept --all`",
    });
}

/**
 * Returns the options of the two plans of `trueup accept`: the one with the changes to accept, and the one that checks the edited YAML. Objects
 * of `--new` are not in the configuration, so `also` makes both plans read them.
 */
function planOptionsFor(options: AcceptOptions, { run }: AcceptPort): OpenPlanOptions {
  const { new: newGlobs } = options;
  const planOptions = createPlanOptions(options as PlanningOptions, run.host);
  if (!newGlobs) return planOptions;
  const also: OpenPlanOptions['also'] = (kind, parent) => mayContainMatch(kind, parent, newGlobs);
  return { ...planOptions, also };
}

/**
 * Writes the chosen changes of a plan into the YAML for `trueup accept`: computes the new texts, proves by a second plan that they contain the
 * changes and nothing else, shows the difference, asks, and writes. Throws `Problems` before anything is written if a change has no place in the
 * files or the proof fails.
 */
async function acceptPlanned(acceptRun: AcceptRun): Promise<void> {
  const { addresses, options, port, session, planned } = acceptRun;
  const { plan } = planned;
  reportUnreadParts(acceptRun);
  refuseUnmatchedAddresses(acceptRun);
  const { all: isAll, new: globs = [] } = options;
  const { additions, notAdded } = await findAdditions(session, planned, {
    named: addresses,
    all: isAll,
    globs,
  });
  const { possibleSecrets } = computeTexts(acceptRun, additions, new Set());
  const allowedValues = await confirmPossibleSecrets(possibleSecrets, options, port);
  const result = await acceptSafely(
    (refused) => computeTexts(acceptRun, additions, allowedValues, refused),
    session.configuration,
    (files) => rereadTexts(acceptRun, new Map(files.map(({ path, after }) => [path, after]))),
    createCheckOfOtherStacks(session.configuration, acceptRun.provider, options, port.run),
  );
  const orders = findAcceptedOrders(acceptRun);
  const notes = describeResult(result, notAdded, findUnchangedFields(acceptRun, result, additions));
  if (notes.length > 0) port.say(notes.join('\n'));
  if (result.unplaced.length > 0)
    raise(
      result.unplaced.map((unplaced) =>
        problem('accept/unplaced', `${unplaced.addresses.join(', ')}: ${unplaced.reason}`, {
          hint: 'edit it by hand; nothing was written',
        }),
      ),
    );
  if (result.files.length === 0 && orders.length === 0) return port.say(nothingToAcceptText(plan));
  const accepted = await rereadAccepted(session, result.files, orders, (texts) =>
    rereadTexts(acceptRun, texts),
  );
  const { files, configuration } = accepted;
  const { resources } = session.configuration.desired;
  await proveTexts(acceptRun, accepted, result, acceptedPathsOf(resources, accepted, result, orders));
  const { moves } = result;
  port.out(diffAccepted(files, session.configuration, configuration, { allowed: allowedValues, moves }));
  if (!(await port.confirm(files))) return;
  await writeAllOrNone(files);
  port.say(`Wrote ${files.map(({ name }) => name).join(', ')}.`);
}

/** Warns about parts of the account that could not be read, because changes there are not accepted. Everything else still is. */
function reportUnreadParts({ planned, addresses, options, port }: AcceptRun): void {
  const { diagnostics, notCompared = [] } = planned.plan;
  const problems = diagnostics
    .filter(({ code }) => code === 'observe/incomplete')
    .map((diagnostic) => ({
      ...diagnostic,
      hint: 'the changes that could be read are accepted; run again for the others',
    }));
  const isRequested = options.all ? () => true : createAddressMatcher(addresses);
  const unreadItems = notCompared.flatMap(({ cause, items }) => (cause === 'unread' ? items : []));
  port.reportUnread(
    problems,
    unreadItems.some(({ address }) => isRequested(address)),
  );
}

/**
 * Throws `Problems` for addresses and globs of `trueup accept` that match no declared, changed or unmanaged object, because they are probably
 * misspelled.
 */
function refuseUnmatchedAddresses({ addresses, session, planned }: AcceptRun): void {
  const { changes, unmanaged } = planned.plan;
  const problems = createUnmatchedGlobProblems(addresses, [
    ...session.desired.resources.keys(),
    ...changes.map(({ address }) => address),
    ...unmanaged.map(({ address }) => address),
  ]);
  raiseErrors(problems);
}

/**
 * Computes the new texts of the YAML files without writing them. Called twice: first to find the values that may be secrets, then with the user's
 * permissions. `additions`: undeclared objects to declare. `allowedValues`: possible secrets that may be written, each as `ADDRESS PATH`.
 * `refused`: data that must stay as it is. A new secret gets another name if the environment variable of its name has another value already (`isTaken`).
 */
function computeTexts(
  { addresses, options, session, planned, written }: AcceptRun,
  additions: ReadonlySet<Address>,
  allowedValues: ReadonlySet<string>,
  refused: RefusedOrigins = new Map(),
): AcceptResult {
  const { kinds, configuration, host } = session;
  const isNamed = addresses.length > 0;
  const matches = createAddressMatcher(addresses);
  return accept(
    {
      plan: planned.plan,
      desired: configuration.desired,
      live: planned.live,
      written,
      kinds,
      additions,
      refused,
      isTaken: hasOtherValueIn(host),
    },
    {
      isNamed,
      isChosen: (address) => (isNamed ? matches(address) : options.all === true),
      mayWrite: (address, path) => allowedValues.has(`${address} ${path}`),
    },
  );
}

/**
 * Returns the lists whose new order `trueup accept` writes into the YAML: with `--all` those that were certainly reordered outside, otherwise all
 * lists that contain a named object, even if the tool cannot tell who reordered them.
 */
function findAcceptedOrders({ addresses, options, session, planned }: AcceptRun): NewOrder[] {
  const { desired } = session.configuration;
  const { plan, live } = planned;
  const orders = findReorderedLists(plan.changes, { desired, live, kinds: session.kinds });
  if (addresses.length === 0)
    return options.all ? orders.filter(({ isChangedOutside }) => isChangedOutside) : [];
  const matches = createAddressMatcher(addresses);
  return orders.filter((order) => order.addresses.some(matches));
}

/** Returns the accepted fields that are written unchanged although they could contain a secret, so that the user can check them. */
function findUnchangedFields(
  { session, planned }: AcceptRun,
  { paths, moves }: AcceptResult,
  additions: ReadonlySet<Address>,
): string[] {
  const isWritten = (address: Address, field: string) =>
    additions.has(address) ||
    [...(paths.get(addressAfter(address, moves)) ?? [])].some(
      (path) => path === '' || namesInPath(path)[0] === field,
    );
  return findPossibleSecrets(planned.live, session.kinds, isWritten);
}

/**
 * Reads the configuration with the texts that `trueup accept` is about to write into some of its files, to see what they mean before they are
 * written.
 */
const rereadTexts = (
  { provider, options, port, session }: AcceptRun,
  texts: ReadonlyMap<string, string>,
): Promise<WrittenConfiguration> =>
  load({ ...createLoadOptions(provider, options, port.run), sources: session.sources, texts });

/**
 * Plans the new texts of `trueup accept` against the account as it was read, so that no wrong text is written. Throws `Problems` unless the changes
 * at `acceptedPaths` are gone and nothing else is different; `moves` are renamed objects. With `--all` it also names the lists in another order that
 * were left out, because the tool cannot tell who reordered them.
 */
async function proveTexts(
  { options, port, session, planned }: AcceptRun,
  { configuration: { desired } }: AcceptedFiles,
  { moves }: AcceptResult,
  acceptedPaths: AcceptedPaths,
): Promise<void> {
  const { kinds } = session;
  const proof = await openPlan({ ...session, desired }, planOptionsFor(options, port));
  const before: { plan: Plan; desired: Desired } = { plan: planned.plan, desired: session.desired };
  const defects = findDefects(before, { plan: proof.plan, desired }, acceptedPaths, moves);
  if (defects.length > 0) raise(unprovenProblems(defects));
  if (!options.all) return;
  for (const order of findReorderedLists(proof.plan.changes, { desired, live: proof.live, kinds })) {
    const [firstAddress] = order.addresses;
    port.say(
      `${firstAddress}: the order of its list differs, and it is unknown who changed it: trueup accept ${shellQuoted(firstAddress!)}`,
    );
  }
}

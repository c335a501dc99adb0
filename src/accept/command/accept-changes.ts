/*
 * `trueup accept`: writes changes that were made outside (in the dashboard, for example) into the YAML, so that the next plan does not
 * revert them.
 *
 *   1. Plan the account as it is.
 *   2. Compute new texts for the files. Values that may be secrets need the user's permission.
 *      A value is written where its data is, such as a cell of a CSV file, unless something else depends on that data (`acceptSafely`).
 *   3. Read the new texts, and plan again against the same reading of the account. The plan must not contain an accepted change any more,
 *      and nothing else may differ. Otherwise nothing is written.
 *   4. Show the difference, ask, and write all files or none.
 */

import { loadForRun } from '../../app/session/load-configuration.ts';
import { openSession } from '../../app/session/open-session.ts';
import { findPossibleSecrets } from '../../export/secret-names.ts';
import { writeAllOrNone } from '../../files/write-files.ts';
import type { Provider } from '../../kind/provider.ts';
import type { Address } from '../../model/address.ts';
import { problem, raise, raiseErrors } from '../../model/diagnostic.ts';
import { createAddressMatcher } from '../../model/glob.ts';
import { addressAfter } from '../../model/move.ts';
import { standardInput } from '../../model/resource.ts';
import { namesInPath } from '../../model/value.ts';
import { createUnmatchedGlobProblems } from '../../plan/unmatched-globs.ts';
import { openSessionPlan } from '../../run/open-plan.ts';
import { readCache } from '../../run/read-cache.ts';
import { type AcceptResult, describeResult, nothingToAcceptText } from '../accept.ts';
import { wholeObject } from '../acceptance.ts';
import { diffAccepted } from '../accepted-files.ts';
import { confirmPossibleSecrets, findAdditions } from '../additions.ts';
import type { AcceptOptions, AcceptPort, AcceptRun } from './accept-run.ts';
import { computeProvenTexts, computeTexts, planOptionsFor } from './compute-texts.ts';
import { readEditableText } from './editable-text.ts';

/**
 * Runs `trueup accept`: writes changes that were made outside, such as in the dashboard, into the YAML. Plans the account before the edit,
 * and again with the edited YAML to prove that the accepted changes are gone. `addresses`: globs of the objects to accept. Throws
 * `Problems`; then nothing is written.
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
    const planned = await openSessionPlan(session, planOptionsFor(options, port));
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
 * Writes the chosen changes of a plan into the YAML for `trueup accept`: computes the new texts, proves by a second plan that they contain
 * the changes and nothing else, shows the difference, asks, and writes. Throws `Problems` before anything is written if a change has no
 * place in the files or the proof fails.
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
  // The first texts only serve to find the values that may be secrets.
  const { possibleSecrets } = computeTexts(acceptRun, { additions, allowedValues: new Set() });
  const allowedValues = await confirmPossibleSecrets(possibleSecrets, options, port);
  const { result, accepted } = await computeProvenTexts(acceptRun, additions, allowedValues);
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
  if (!accepted) return port.say(nothingToAcceptText(plan));
  const { files, configuration } = accepted;
  const { moves } = result;
  port.out(diffAccepted(files, [session.configuration], [configuration], { allowed: allowedValues, moves }));
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
 * Throws `Problems` for addresses and globs of `trueup accept` that match no declared, changed or unmanaged object, because they are
 * probably misspelled.
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

/** Returns the accepted fields that are written unchanged although they could contain a secret, so that the user can check them. */
function findUnchangedFields(
  { session, planned }: AcceptRun,
  { paths, moves }: AcceptResult,
  additions: ReadonlySet<Address>,
): string[] {
  const isWritten = (address: Address, field: string) =>
    additions.has(address) ||
    [...(paths.get(addressAfter(address, moves)) ?? [])].some(
      (path) => path === wholeObject || namesInPath(path)[0] === field,
    );
  return findPossibleSecrets(planned.live, session.kinds, isWritten);
}

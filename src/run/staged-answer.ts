/*
 * Completes the answers of requests on staged collections from the account.
 *
 * Terms
 * - staged collection: a list that the platform keeps as versions. At most one version is live, and at most one is staged.
 * - staging request: changes the staged version. Its answer names that version at `request.stages.version`.
 * - closing request: promotes the staged version (makes it live) or discards it. Its `request.stages` has no `version`.
 * - recorded version (`StagedEntry`): what the ledger says of the version that this run stages: the live version that it is based on, and
 *   the intended content of each address.
 *
 * Premise: an answer may get lost or lack ids. Promoting a version with missing or foreign content would damage live traffic, so the run
 * goes on only if the account shows the intended content.
 */
import { isObjectOfEntry } from '../kind/digests.ts';
import type { Kind } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import type { LedgerKey } from '../model/digest.ts';
import type { Ledger, StagedContent, StagedEntry } from '../model/ledger.ts';
import type { Operation } from '../model/plan.ts';
import { objectsOfCollection } from '../model/refreshed-resources.ts';
import type { Request } from '../model/request.ts';
import { type CollectionId, type Live, type StagedVersion, withAlternatives } from '../model/resource.ts';
import { isPlainObject, type Path, valueAtPath } from '../model/value.ts';
import { isStagingRequest } from './staging.ts';
import { isId, isRefusal, withValueAt } from './unclear-answer.ts';

/**
 * True if the answer to a staging request (it adds content to a version that goes live later) names that
 * version and every object that the request creates; true for any other request. Used to decide whether the
 * account has to be read for the missing ids.
 */
export function hasStagedIds({ stages, returns = [] }: Request, answer: unknown): boolean {
  if (!isStagingRequest(stages)) return true;
  const paths = [stages.version, ...returns.flatMap((result) => ('path' in result ? [result.path] : []))];
  return paths.every((path) => isId(valueAtPath(answer, path)));
}

/** True if the request at this index is the operation's last staging request, so that the whole content must be staged after it. */
export const isLastStaging = ({ requests }: Operation, index: number): boolean =>
  requests.findLastIndex(({ stages }) => isStagingRequest(stages)) === index;

interface StagedAnswerInput {
  /** A staging or closing request. */
  request: Request;
  /** The platform's answer; undefined if `unclear`. */
  answer: unknown;
  /** The error that the request had, if that leaves its outcome open. */
  unclear: Error | undefined;
  /**
   * True if no staging request of the operation follows, so that all content must be staged by now.
   */
  isLastStaging: boolean;
  /** The versions that the ledger records for this run. */
  recordedVersions: Ledger['staged'];
  kind: Kind;
  key?: LedgerKey | undefined;
  /** A reading of the collection after the request; undefined if that failed. */
  live: Live | undefined;
}

/**
 * Returns the answer to a request on a staged collection (a list that the platform keeps as versions: one live, one staged), completed from
 * the account. Used after an answer that got lost or lacks ids, because the next request needs them. Throws if the account does not show
 * that the request was done: an incomplete version must not go live. A promotion is also done if somebody else has made the staged content
 * live. Pure.
 */
export function completeStagedAnswer(input: StagedAnswerInput): unknown {
  const { request, live, recordedVersions } = input;
  const { collection, version: versionPath } = request.stages!;
  if (!live || live.unreadable.has(collection))
    throw outcomeNotShownError(input, 'the versions cannot be read');
  const recordedVersion = recordedVersions?.[collection];
  // A request with `version` adds content to the staged version. Others promote or discard it.
  if (versionPath !== undefined) return completeStagingAnswer(versionPath, live, recordedVersion, input);
  const isDone = isClosed(request, live, collection) || isLiveAsStaged(live, recordedVersion, input);
  if (isDone) return input.answer;
  throw isRefusal(input.unclear)
    ? refusedPromotionError(input, live)
    : outcomeNotShownError(input, 'the versions do not show it');
}

/**
 * Returns the answer to a staging request, with the id of the staged version (at `versionPath`: the path of this id in the answer) and
 * those of the created objects, as the account shows them: the answer was lost or lacks them, and the next request needs them. Throws if
 * this stack has no staged version in the account or in the ledger (`recordedVersion`), or if a created object is not in it. After the last
 * staging request, also throws if the version does not have all content that this run has staged.
 */
function completeStagingAnswer(
  versionPath: Path,
  live: Live,
  recordedVersion: StagedEntry | undefined,
  input: StagedAnswerInput,
): unknown {
  const { request, answer } = input;
  const stagedVersion = live.staged.get(request.stages!.collection);
  if (!stagedVersion || !recordedVersion)
    throw outcomeNotShownError(input, 'no version is staged that has this and nothing else');
  const createdIds = listCreatedIds(stagedVersion, recordedVersion, input);
  const wrongAddress = input.isLastStaging
    ? firstUnequalObject(stagedVersion.objects, recordedVersion, input)
    : undefined;
  if (wrongAddress !== undefined)
    throw outcomeNotShownError(input, `${wrongAddress} is not correct in the staged version`);
  const withVersion = withValueAt(answer, versionPath, stagedVersion.id);
  return createdIds.reduce((completed, { path, id }) => withValueAt(completed, path, id), withVersion);
}

/**
 * Returns the ids of the objects that a staging request created, each with the path at which its answer has the id. At the address of such
 * an object, the staged version has an id that the ledger (`recordedVersion`) does not list as a former one. Throws if it has none.
 */
const listCreatedIds = (
  { objects }: StagedVersion,
  { of: contents }: StagedEntry,
  input: StagedAnswerInput,
): { path: Path; id: string }[] =>
  (input.request.returns ?? []).flatMap((result) => {
    if (!('path' in result)) return [];
    const formerIds = contents[result.address]?.ids ?? [];
    const created = objects.find(({ address, id }) => address === result.address && !formerIds.includes(id));
    if (!created) throw outcomeNotShownError(input, `${result.address} is not in the staged version`);
    return [{ path: result.path, id: created.id }];
  });

/**
 * Returns the first address whose objects in a version (the content of a list that goes live as a whole) are
 * not as the ledger records them; undefined if the version has all recorded content. Used before a promotion,
 * so that nothing incomplete goes live. An address without an entry is to be deleted, so none of its former
 * ids may remain.
 */
function firstUnequalObject(
  objects: StagedVersion['objects'],
  { of: contents }: StagedEntry,
  { kind, key }: StagedAnswerInput,
): Address | undefined {
  const isAsRecorded = ([contentAddress, { ids, entry }]: [Address, StagedContent]) => {
    if (!entry) return !objects.some(({ id }) => ids.includes(id));
    const isRecordedObject = ({ address, fields }: (typeof objects)[number]) =>
      address === contentAddress && isObjectOfEntry(fields, entry, kind, { key });
    return objects.some(isRecordedObject);
  };
  const difference = Object.entries(contents).find((content) => !isAsRecorded(content));
  return difference?.[0];
}

/**
 * True if the account shows the effect of the request that ends the staging of an apply: its version is live after a promotion, or is no
 * longer the staged one after a discard. Used when the answer was lost.
 */
function isClosed({ body }: Request, { versions }: Live, collection: CollectionId): boolean {
  const { id, action } = isPlainObject(body) ? body : {};
  const { live: liveVersion, staged: stagedVersion } = versions.get(collection) ?? {};
  return action === 'promote' ? liveVersion === String(id) : stagedVersion !== String(id);
}

/**
 * True if the live version is not the one that the staged one was based on (`base`), and has all the content that the run staged. Then
 * somebody else promoted that content (made it live), possibly in a version with another id, and the promotion counts as done.
 */
function isLiveAsStaged(
  { versions, resources }: Live,
  recordedVersion: StagedEntry | undefined,
  input: StagedAnswerInput,
): boolean {
  const { collection } = input.request.stages!;
  if (!recordedVersion || recordedVersion.base === versions.get(collection)?.live) return false;
  // Several live objects may share an address (`alternatives`). Each of them can be the staged one.
  const liveObjects = withAlternatives(objectsOfCollection(resources, collection));
  return firstUnequalObject(liveObjects, recordedVersion, input) === undefined;
}

/**
 * Returns the error of a promotion (the request that makes a staged version live) that was refused, with advice if somebody else has
 * changed the staged version. If the version is still staged as this run left it, returns the platform's own error, since the next run can
 * continue from there.
 */
function refusedPromotionError({ request, unclear }: StagedAnswerInput, live: Live): Error {
  const { collection } = request.stages!;
  // `live.staged` only has versions that this stack staged.
  if (live.staged.has(collection)) return unclear!;
  const reason = live.versions.get(collection)?.staged
    ? 'somebody else has staged more on top of it, so that it goes live with that or not at all: run again once that is promoted or discarded'
    : 'somebody else discarded or replaced what this run had staged, and it is not live: run again to stage it once more';
  return new Error(`${unclear!.message}; ${reason}`, { cause: unclear });
}

/**
 * Returns the error of a staging or closing request if neither its answer nor the account shows whether it was done, with advice for the
 * user. The run stops this operation then. So it promotes no version whose content is unknown. A promotion or discard may be done or not,
 * and the next run checks again. `unclear` becomes the cause.
 */
function outcomeNotShownError({ request, unclear }: StagedAnswerInput, reason: string): Error {
  const advice = isStagingRequest(request.stages)
    ? 'it is not promoted, so none of it is live; run again to discard it and stage it again'
    : 'run again to check once more';
  const endpointPath = request.endpoint.split('?')[0];
  // The message of a lost answer names the request already.
  const source = unclear ? `${unclear.message}; it` : `the platform's answer to ${endpointPath}`;
  return new Error(
    `${source} does not show the outcome, and ${reason}: ${advice}`,
    unclear ? { cause: unclear } : {},
  );
}

/**
 * The versions of a staged collection.
 *
 * Terms: changes of some collections (the bulk redirects of a project, for example) do not take effect at once. They are written into a new
 * version. The staged version goes live when it is promoted. A run stages all its changes in one version and then promotes it. A run that
 * was interrupted between these steps leaves a staged version behind, and the next run may discard it. But it must not discard a version
 * with somebody else's changes.
 */

import { decodeFields, idOf, listItemsOf, naturalAddressOf } from '../kind/define-kind.ts';
import { isObjectOfEntry } from '../kind/digests.ts';
import type { Kind } from '../kind/kind.ts';
import type { ApiObject } from '../kind/read.ts';
import { jsonTypeOf, objectsOfList, requireText } from '../kind/require-type.ts';
import type { Address } from '../model/address.ts';
import { canonicalJson, type LedgerKey } from '../model/digest.ts';
import type { StagedEntry } from '../model/ledger.ts';
import type { Endpoint, Request } from '../model/request.ts';
import { type CollectionId, collectionParts } from '../model/resource.ts';
import { revealed } from '../model/sealed.ts';
import type { Fields, Value } from '../model/value.ts';

/** The data needed to read the versions of a staged collection. */
interface VersionReader {
  /** Reads the objects of an answer. `extraParams`: values for placeholders that are not among those of the collection. */
  read(
    endpoint: Endpoint,
    extraParams: Record<string, Value>,
    items?: Request['items'],
  ): Promise<ApiObject[]>;
  collection: CollectionId;
  /** The version that the ledger records as staged by this stack; undefined if there is none. */
  recorded: StagedEntry | undefined;
  key: LedgerKey | undefined;
}

/** The live version and the staged one. */
interface Versions {
  /** The id of the live version; absent if no version was ever promoted. */
  live?: string;
  /** The staged version; absent if there is none. `objects` is undefined unless this stack staged it. */
  staged?: { id: string; objects?: VersionObject[] | undefined };
}

/**
 * Reads for a plan which versions of a list are live and staged (uploaded, to go live later), and whether
 * this stack staged the latter. A version that somebody else staged must not go live with our changes, nor be
 * discarded.
 */
export async function readVersions(kind: Kind, reader: VersionReader): Promise<Versions> {
  const [answer] = await reader.read(kind.shape.staging!.versions, {});
  if (!Array.isArray(answer?.versions))
    throw new Error(`the response does not list the versions of ${kind.section}`);
  const versions = objectsOfList(answer.versions, 'versions');
  const live = idOfVersion(versions, 'isLive');
  const staged = idOfVersion(versions, 'isStaging');
  return {
    live,
    staged:
      staged === undefined
        ? undefined
        : { id: staged, objects: await readOurStagedObjects(kind, live, staged, reader) },
  };
}

/**
 * Returns the id of the version with a mark; undefined if none has it. Throws if a mark is neither true nor false and no other version has
 * it: a collection whose live version is not found would look empty, and all its objects would be created again.
 */
function idOfVersion(versions: readonly ApiObject[], mark: 'isLive' | 'isStaging'): string | undefined {
  const marked = versions.find((version) => version[mark] === true);
  if (marked) return requireText(marked.id, 'id');
  for (const { [mark]: isMarked = false } of versions)
    if (isMarked !== false)
      throw new Error(`the response has a version whose \`${mark}\` is ${jsonTypeOf(isMarked)}, not boolean`);
  return undefined;
}

/**
 * Reads the objects of a staged version; undefined unless this stack staged it. Used to decide whether a run may discard the version.
 *
 * Premise: an interrupted run may have sent any number of its writes, so each object has its old or its planned content. The version is
 * ours if
 *   1. the ledger records that we staged on today's live version,
 *   2. each object is as in the live version or as the run planned it, and
 *   3. the objects that the run did not change are all there, in their old order.
 */
async function readOurStagedObjects(
  kind: Kind,
  live: string | undefined,
  staged: string,
  reader: VersionReader,
): Promise<VersionObject[] | undefined> {
  const { recorded, key } = reader;
  // Condition 1.
  if (!recorded || recorded.base !== live) return undefined;
  // The content that the run planned, by address.
  const { of: contents } = recorded;
  const liveObjects = live === undefined ? [] : await readObjectsOfVersion(kind, live, reader);
  const stagedObjects = await readObjectsOfVersion(kind, staged, reader);
  const contentByReplacedId = new Map(
    Object.values(contents).flatMap((content) => content.ids.map((id) => [id, content])),
  );
  const liveById = new Map(liveObjects.map((object) => [object.id, object]));
  const isUnchanged = ({ id, text }: VersionObject) => liveById.get(id)?.text === text;
  const isAsPlanned = ({ id, address, fields }: VersionObject) => {
    // An object that is new in the staged version has no recorded id, so it is found by its address.
    const content = liveById.has(id) ? contentByReplacedId.get(id) : contents[address];
    return content?.entry !== undefined && isObjectOfEntry(fields, content.entry, kind, { key });
  };
  // The ids of the live objects that the run was not to change, in their order if it matters.
  const keptIds = (objects: VersionObject[]) => {
    const ids = objects.map(({ id }) => id).filter((id) => liveById.has(id) && !contentByReplacedId.has(id));
    return kind.shape.orderDecides ? ids : ids.sort();
  };
  // Conditions 2 and 3.
  const areUnchangedOrPlanned = stagedObjects.every((object) => isUnchanged(object) || isAsPlanned(object));
  const areOthersKept = keptIds(stagedObjects).join() === keptIds(liveObjects).join();
  return areUnchangedOrPlanned && areOthersKept ? stagedObjects : undefined;
}

/** One object of a version. */
interface VersionObject {
  id: string;
  /** Its natural address. */
  address: Address;
  fields: Fields;
  /** Equal for equal content, secrets included. */
  text: string;
}

/**
 * Reads the objects of a version (the content of a list that goes live as a whole), in its order, to compare a staged version with the live
 * one. Leaves out objects that no user should see or that have an unknown form, and throws for one without a name (`decodeFields`). `text`:
 * the fields as a text, to compare them; never shown, because it contains secrets.
 */
async function readObjectsOfVersion(
  kind: Kind,
  version: string,
  { read, collection }: VersionReader,
): Promise<VersionObject[]> {
  const [endpoint] = [kind.read.endpoint].flat();
  const [parent] = collectionParts(collection);
  const objects = await read(endpoint!, { version }, listItemsOf(kind.read) as Request['items']);
  return objects.flatMap((object) => {
    const fields = decodeFields(kind, object, { to: () => undefined });
    if (!fields) return [];
    const address = naturalAddressOf(kind, parent, fields);
    return [{ id: idOf(kind, object), address, fields, text: canonicalJson(revealed(fields)) }];
  });
}

/**
 * Returns the obstacle of a list with a staged version (content that is prepared, but not live yet) that cannot be
 * recognized as this stack's own, because a change of ours would make that version live, too. A plan that changes the
 * list reports it as an error, unless `--ignore-draft` is given.
 */
export const stagedElsewhere = ({ section }: Kind, id: string) => ({
  code: 'staged/elsewhere',
  message: `a version of \`${section}\` from somewhere else is staged (${id}) and would go live with a change`,
  hint: 'promote or discard it in the dashboard, then run again; with --ignore-draft it goes live together with these changes',
});

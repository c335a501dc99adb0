import { decodeFields, idOf, listItemsOf, namesOf } from '../kind/define-kind.ts';
import { isEntryMadeOf } from '../kind/digests.ts';
import type { ApiObject, Kind } from '../kind/kind.ts';
import { type Address, addressOf } from '../model/address.ts';
import { canonical } from '../model/canonical.ts';
import type { StagedEntry } from '../model/ledger.ts';
import type { LedgerKey } from '../model/ledger-key.ts';
import type { Endpoint, Request } from '../model/request.ts';
import { type CollectionId, collectionParts } from '../model/resource.ts';
import { revealed } from '../model/sealed.ts';
import type { Fields, Value } from '../model/value.ts';

/** The data needed to read the versions of a staged collection. */
interface VersionReader {
  /** The objects of an answer; `more`: values for placeholders beside those of the collection. */
  read(endpoint: Endpoint, more: Record<string, Value>, items?: Request['items']): Promise<ApiObject[]>;
  collection: CollectionId;
  /** The ledger's entry for a staged version. */
  known: StagedEntry | undefined;
  key: LedgerKey | undefined;
}

/** The live version (none if nothing was ever promoted) and the staged one, with its `objects` if this stack has staged it. */
export async function readVersions(
  kind: Kind,
  reader: VersionReader,
): Promise<{ live?: string; staged?: { id: string; objects?: Content[] | undefined } }> {
  const [answer] = await reader.read(kind.shape.staging!.versions, {});
  const versions = answer?.versions as { id: string; isLive?: boolean; isStaging?: boolean }[];
  if (!Array.isArray(versions)) throw new Error(`the response does not list the versions of ${kind.section}`);
  const live = versions.find(({ isLive }) => isLive)?.id;
  const staging = versions.find(({ isStaging }) => isStaging)?.id;
  return {
    ...(live === undefined ? {} : { live }),
    ...(staging === undefined
      ? {}
      : { staged: { id: staging, objects: await ownContent(kind, live, staging, reader) } }),
  };
}

/**
 * The content of a staged version, if the run in the ledger staged it on today's live version; undefined otherwise. Each object has its
 * old or its new content, depending on how many writes were done. A version that somebody has added to is not ours.
 */
async function ownContent(
  kind: Kind,
  live: string | undefined,
  staged: string,
  reader: VersionReader,
): Promise<Content[] | undefined> {
  const { known, key } = reader;
  if (!known || known.base !== live) return undefined;
  const before = live === undefined ? [] : await contentOf(kind, live, reader);
  const after = await contentOf(kind, staged, reader);
  const changing = new Map(
    Object.values(known.of).flatMap((stagedContent) => stagedContent.ids.map((id) => [id, stagedContent])),
  );
  const old = new Map(before.map((content) => [content.id, content]));
  const isAsWanted = ({ id, address, fields }: Content) => {
    const { entry } = (old.has(id) ? changing.get(id) : known.of[address]) ?? {};
    return entry !== undefined && isEntryMadeOf(fields, entry, kind, { key });
  };
  const staying = (contents: Content[]) => {
    const ids = contents.flatMap(({ id }) => (changing.has(id) || !old.has(id) ? [] : [id]));
    return kind.shape.orderDecides ? ids : ids.sort();
  };
  const isOurs =
    after.every((content) => old.get(content.id)?.text === content.text || isAsWanted(content)) &&
    // What is not to go is there, in the order that it had.
    staying(after).join() === staying(before).join();
  return isOurs ? after : undefined;
}

/** One object of a version. */
interface Content {
  id: string;
  /** The address that its name makes. */
  address: Address;
  fields: Fields;
  /** Equal for equal content. */
  text: string;
}

/** The objects in a version, in its order. */
async function contentOf(
  kind: Kind,
  version: string,
  { read, collection }: VersionReader,
): Promise<Content[]> {
  const { endpoint } = kind.read;
  const [only] = [endpoint].flat();
  const [parent] = collectionParts(collection);
  return (await read(only!, { version }, listItemsOf(kind.read) as Request['items'])).flatMap((object) => {
    const fields = decodeFields(kind, object, { to: () => undefined });
    if (!fields) return [];
    const address = addressOf(parent, kind.section, namesOf(kind, fields));
    return [{ id: idOf(kind, object), address, fields, text: canonical(revealed(fields)) }];
  });
}

/** Why nothing can be staged now. */
export const stagedElsewhere = ({ section }: Kind, id: string) => ({
  code: 'staged/elsewhere',
  message: `a version of \`${section}\` from somewhere else is staged (${id}) and would go live with a change`,
  hint: 'promote or discard it in the dashboard, then run again; with --ignore-draft it goes live together with these changes',
});

import { decodeFields, namesOf } from '../kind/define-kind.ts';
import type { ApiObject, Kind } from '../kind/kind.ts';
import { type Address, addressOf } from '../model/address.ts';
import { canonical } from '../model/digest.ts';
import type { StagedEntry } from '../model/ledger.ts';
import type { Endpoint } from '../model/plan.ts';
import { type CollectionId, collectionParts } from '../model/resource.ts';
import { revealed } from '../model/sealed.ts';
import type { Value } from '../model/value.ts';

/** What it takes to read the versions of a staged collection. */
export interface VersionReader {
  /** The objects of an answer; `more`: values for placeholders beside those of the collection. */
  read(endpoint: Endpoint, more: Record<string, Value>, items?: string): Promise<ApiObject[]>;
  collection: CollectionId;
  /** What the ledger says of a staged version. */
  known: StagedEntry | undefined;
}

/** The version that is live (none if nothing was ever promoted) and the one that is staged, and whether this stack has staged it. */
export async function readVersions(
  kind: Kind,
  reader: VersionReader,
): Promise<{ live?: string; staged?: { id: string; isOurs: boolean } }> {
  const [answer] = await reader.read(kind.api.staged!.versions, {});
  const versions = answer!.versions as { id: string; isLive?: boolean; isStaging?: boolean }[];
  if (!Array.isArray(versions)) throw new Error(`the answer does not list the versions of ${kind.section}`);
  const live = versions.find(({ isLive }) => isLive)?.id;
  const staging = versions.find(({ isStaging }) => isStaging)?.id;
  return {
    ...(live === undefined ? {} : { live }),
    ...(staging === undefined
      ? {}
      : { staged: { id: staging, isOurs: await isOurs(kind, live, staging, reader) } }),
  };
}

async function isOurs(
  kind: Kind,
  live: string | undefined,
  staged: string,
  reader: VersionReader,
): Promise<boolean> {
  const { known } = reader;
  // A run that never heard the answer does not know the id. And somebody may have added to what it staged: what is ours differs
  // from the live version only in what that run changed.
  if (!known || (known.id !== undefined && known.id !== staged)) return false;
  const before = live === undefined ? new Map<Address, string>() : await contentOf(kind, live, reader);
  const after = await contentOf(kind, staged, reader);
  return [...new Set([...before.keys(), ...after.keys()])].every(
    (address) => before.get(address) === after.get(address) || known.of.includes(address),
  );
}

/** What is in a version, by address. */
async function contentOf(
  kind: Kind,
  version: string,
  { read, collection }: VersionReader,
): Promise<Map<Address, string>> {
  const { endpoint, items } = kind.api.list!;
  const [only] = [endpoint].flat();
  const [parent] = collectionParts(collection);
  const content = new Map<Address, string>();
  for (const object of await read(only!, { version }, items as string)) {
    const fields = decodeFields(kind, object, { to: () => undefined });
    if (fields)
      content.set(addressOf(parent, kind.section, namesOf(kind, fields)), canonical(revealed(fields)));
  }
  return content;
}

/** Why nothing can be staged now. */
export const stagedElsewhere = ({ section }: Kind, id: string) => ({
  code: 'staged/elsewhere',
  message: `a version of \`${section}\` that was not made here is staged (${id}), and would go live with a change`,
  hint: 'promote or discard it in the dashboard, then run again; with --ignore-draft it goes live together with what is changed here',
});

import type { Kinds } from '../kind/kind.ts';
import { type OtherNamesOfKind, otherNamesOf } from '../kind/other-names.ts';
import type { ApiObject } from '../kind/read.ts';
import type { NameDirectory } from '../kind/traits.ts';
import type { Address } from '../model/address.ts';
import { type Diagnostic, problem } from '../model/diagnostic.ts';
import { listFirst } from '../model/fold-wordings.ts';
import type { Send } from '../model/request.ts';
import type { Desired, Live, Resource } from '../model/resource.ts';

/*
 * Finds the ids of what new objects name, for kinds with several names: the user id of a person whom the configuration names by e-mail
 * address. The directory (the list of everybody) is read only if an object has to be created, so that most plans need no further request.
 */

/** A block that a creation needs an id for. */
interface NamedBlock {
  block: Resource;
  otherNames: OtherNamesOfKind;
  /** The field with the name. */
  key: string;
  name: string;
}

/**
 * Returns the configuration with the ids of what its blocks name: those of live objects, and for others those that the directory has. A name
 * that the directory lacks, or has more than once, is an error that lists the candidates. If the directory cannot be read, a name is taken for
 * an id, since people write ids as well.
 */
export async function findNamedIds(
  desired: Desired,
  live: Live,
  kinds: Kinds,
  send: Send,
): Promise<{ desired: Desired; diagnostics: Diagnostic[] }> {
  const blocks = [...desired.resources.values()].flatMap((block): NamedBlock[] => {
    const kind = kinds.get(block.kind);
    const otherNames = kind && otherNamesOf(kind);
    if (!otherNames || block.meta.existing || block.fields[otherNames.idField] !== undefined) return [];
    const key = kind.key[0]!;
    const name = block.fields[key];
    return typeof name === 'string' ? [{ block, otherNames, key, name }] : [];
  });
  if (blocks.length === 0) return { desired, diagnostics: [] };
  const readDirectory = createDirectoryReader(send);
  const diagnostics: Diagnostic[] = [];
  const resources = new Map(desired.resources);
  const addressByIdentity = new Map<string, Address>();
  for (const { block, otherNames, key, name } of blocks) {
    const object = live.resources.get(block.address);
    // A block that is renamed by `$was` stands for an object of another name.
    const hasName = object?.fields[key] === name;
    const idOrProblem = hasName ? object.id : await findInDirectory(name, block, otherNames, readDirectory);
    if (typeof idOrProblem !== 'string') {
      diagnostics.push(idOrProblem);
      continue;
    }
    resources.set(block.address, {
      ...block,
      fields: { ...block.fields, [otherNames.idField]: idOrProblem },
    });
    const identity = `${block.kind} ${block.parent ?? ''} ${idOrProblem}`;
    const earlier = addressByIdentity.get(identity);
    if (earlier === undefined) addressByIdentity.set(identity, block.address);
    else diagnostics.push(createNamedTwice(block, earlier, otherNames));
  }
  return { desired: { ...desired, resources }, diagnostics };
}

/** Creates the problem that two blocks name one object in different ways. */
const createNamedTwice = ({ address, at }: Resource, earlier: Address, { directory }: OtherNamesOfKind) =>
  problem('match/named-twice', `${earlier} and ${address} are the same ${directory.noun}`, {
    address,
    at,
    hint: 'declare one of them',
  });

/** Returns the rows of a directory; undefined if it cannot be read. */
type DirectoryReader = (directory: NameDirectory) => Promise<ApiObject[] | undefined>;

/** Creates the function which reads a directory, each one once. */
function createDirectoryReader(send: Send): DirectoryReader {
  const rowsByEndpoint = new Map<string, Promise<ApiObject[] | undefined>>();
  return ({ endpoint, items }) => {
    const reading =
      rowsByEndpoint.get(endpoint) ??
      send({ endpoint, params: {}, items }).then(
        (rows) => rows as ApiObject[],
        () => undefined,
      );
    rowsByEndpoint.set(endpoint, reading);
    return reading;
  };
}

/** Returns the id that a directory has for a name, or the problem that it has none or several. */
async function findInDirectory(
  name: string,
  { address, at }: Resource,
  { directory }: OtherNamesOfKind,
  readDirectory: DirectoryReader,
): Promise<string | Diagnostic> {
  const rows = await readDirectory(directory);
  if (!rows) return name;
  const { id, names, noun } = directory;
  const matches = rows.filter((row) => [id, ...names].some((member) => row[member] === name));
  const ids = [...new Set(matches.map((row) => row[id]))];
  if (ids.length === 1 && typeof ids[0] === 'string') return ids[0];
  const format = (row: ApiObject) =>
    `${[...names, id]
      .map((member) => row[member])
      .filter(Boolean)
      .join(', ')}`;
  if (ids.length > 1)
    return problem(
      'match/several-names',
      `${JSON.stringify(name)} names more than one ${noun}: ${matches.map(format).join('; ')}`,
      {
        address,
        at,
        hint: `write the ${id} of the one that is meant`,
      },
    );
  const candidates = rows
    .map((row) => String(names.map((member) => row[member]).find(Boolean) ?? row[id]))
    .sort();
  return problem('match/unknown-name', `${JSON.stringify(name)} names no ${noun}`, {
    address,
    at,
    hint: `there are ${listFirst(candidates, maxCandidates)}; who is only invited has to join first`,
  });
}

/** The most names that an error lists. */
const maxCandidates = 10;

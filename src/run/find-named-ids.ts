import type { Kind, Kinds } from '../kind/kind.ts';
import { addressesByName, type OtherNamesOfKind, otherNamesOf } from '../kind/other-names.ts';
import type { ApiObject } from '../kind/read.ts';
import { type Address, addressOf, escapeName } from '../model/address.ts';
import { type Diagnostic, problem } from '../model/diagnostic.ts';
import { listFirst } from '../model/fold-wordings.ts';
import type { Desired, Live, Resource } from '../model/resource.ts';
import type { SecretFinder } from '../model/secret-finder.ts';
import type { AnswerCache } from '../observe/answer-cache.ts';

/*
 * Finds the ids that new objects need for the names in their blocks, for kinds with several names: the user id of a person whom the
 * configuration names by e-mail address. The directory (the list of everybody) is read only if an object has to be created, so that most
 * plans need no further request.
 */

/** A block that a creation needs an id for. */
interface NamedBlock {
  block: Resource;
  kind: Kind;
  otherNames: OtherNamesOfKind;
  /** The field with the name. */
  key: string;
  name: string;
  /** The id that the block states itself. */
  statedId: string | undefined;
}

/** How secrets of the run are found in the names and ids that a directory has. The server may answer with anything, also with the token. */
export interface NameDisclosure {
  /** Hides parts of secrets in a text. */
  mask?: ((text: string) => string) | undefined;
  /** True for text with a whole secret. */
  isSecretOfRun?: SecretFinder | undefined;
}

/** The configuration with the ids of the people and other objects that it names. */
interface NamedIds {
  /** The configuration with the ids. */
  desired: Desired;
  /**
   * The addresses that the other names of an object make, by its address in the plan. Guards, `--target` and `--exclude` are compared with
   * all of them: otherwise a person whom a guard names by e-mail address would escape it under the user name.
   */
  otherAddresses: Record<Address, Address[]>;
  diagnostics: Diagnostic[];
}

/**
 * Returns the configuration with the ids for the names in its blocks, such as the user id of a team member whom a block names by e-mail
 * address: those of live objects, and for others those that the directory (the platform's list of all users) has. Used before planning,
 * because the requests need the ids. If the directory cannot be read, a name is taken for an id, since people write ids as well.
 *
 * Errors are: a name that the directory lacks or has more than once, an id in a block that is another person's (the plan would show the
 * name of one person, and give access to another), and two blocks for one person. Also returns the addresses that objects have by their
 * other names (`otherAddresses`), because a guard or `--target` may name any of them.
 */
export async function findNamedIds(
  desired: Desired,
  live: Live,
  kinds: Kinds,
  answers: AnswerCache,
  disclosure: NameDisclosure = {},
): Promise<NamedIds> {
  const namedBlocks = listNamedBlocks(desired, kinds);
  const otherAddresses = listOtherAddresses(live, kinds);
  if (namedBlocks.length === 0) return { desired, otherAddresses, diagnostics: [] };
  const diagnostics: Diagnostic[] = [];
  const resources = new Map(desired.resources);
  const addressByIdentity = new Map<string, Address>();
  for (const namedBlock of namedBlocks) {
    const { block, kind, otherNames, key, name } = namedBlock;
    const object = live.resources.get(block.address);
    // A block that is renamed by `$was` stands for an object of another name.
    const hasName = object?.fields[key] === name;
    const row = hasName
      ? checkStatedId({ id: object.id as string, names: [] }, namedBlock)
      : await findInDirectory(namedBlock, answers, disclosure);
    if ('message' in row) {
      diagnostics.push(row);
      continue;
    }
    const { id, names } = row;
    if (names.length > 0)
      otherAddresses[block.address] = names.map((other) =>
        addressOf(block.parent, kind.section, [escapeName(other)]),
      );
    resources.set(block.address, { ...block, fields: { ...block.fields, [otherNames.idField]: id } });
    const identity = `${block.kind} ${block.parent ?? ''} ${id}`;
    const earlier = addressByIdentity.get(identity);
    if (earlier === undefined) addressByIdentity.set(identity, block.address);
    else diagnostics.push(createNamedTwice(block, earlier, otherNames));
  }
  return { desired: { ...desired, resources }, otherAddresses, diagnostics };
}

/** Returns the blocks whose objects have several names, such as members. Objects that are not managed (`$existing`) need no id. */
const listNamedBlocks = ({ resources }: Desired, kinds: Kinds): NamedBlock[] =>
  [...resources.values()].flatMap((block): NamedBlock[] => {
    const kind = kinds.get(block.kind);
    const otherNames = kind && otherNamesOf(kind);
    if (!otherNames || block.meta.existing) return [];
    const statedId = block.fields[otherNames.idField];
    const key = kind.key[0]!;
    const name = block.fields[key];
    if (typeof name !== 'string' || (statedId !== undefined && typeof statedId !== 'string')) return [];
    return [{ block, kind, otherNames, key, name, statedId }];
  });

/**
 * Returns the addresses that live objects could have by their other names, by their address, so that guards (the operator's rules) also
 * judge these: otherwise a person whom a guard names by e-mail address would escape it under the user name. Only for kinds whose objects
 * have several names.
 */
function listOtherAddresses({ resources }: Live, kinds: Kinds): Record<Address, Address[]> {
  const entries = [...resources.values()].flatMap((object): [Address, Address[]][] => {
    const kind = kinds.get(object.kind);
    const addresses = kind ? addressesByName(kind, object, object.parent) : [];
    return addresses.length > 0 ? [[object.address, addresses]] : [];
  });
  return Object.fromEntries(entries);
}

/**
 * Creates the problem that two blocks declare one object under different names, such as the e-mail address and the user name of a member.
 */
const createNamedTwice = ({ address, at }: Resource, earlier: Address, { directory }: OtherNamesOfKind) =>
  problem('match/named-twice', `${earlier} and ${address} are the same ${directory.noun}`, {
    address,
    at,
    hint: 'declare one of them',
  });

/** What a directory has for a name: the id, and all names. */
interface FoundRow {
  id: string;
  names: string[];
}

/**
 * Finds the object that a block names by another name than its id, such as a member by e-mail address, in the directory of the platform (a
 * list of all such objects). Returns its row, or the problem that there is none, several, or another one than the id in the block (`$id`).
 * If the directory cannot be read, the name counts as the id.
 */
async function findInDirectory(
  namedBlock: NamedBlock,
  answers: AnswerCache,
  disclosure: NameDisclosure,
): Promise<FoundRow | Diagnostic> {
  const { name, statedId, otherNames } = namedBlock;
  const { endpoint, items, id, names } = otherNames.directory;
  const rows = await answers.get(endpoint, {}, items).then(
    (answered) => answered as ApiObject[],
    () => undefined,
  );
  if (!rows) return { id: statedId ?? name, names: [] };
  const membersWithNames = [id, ...names];
  const usableRows = rows.filter((row) => row !== null && isUsableId(row[id], disclosure));
  const namedRows = usableRows.filter((row) => membersWithNames.some((member) => row[member] === name));
  const statedRows = namedRows.filter((row) => row[id] === statedId);
  const matches = statedRows.length > 0 ? statedRows : namedRows;
  const [foundId, ...otherIds] = new Set(matches.map((row) => row[id] as string));
  if (foundId === undefined) return createUnknownName(namedBlock, usableRows, disclosure);
  if (otherIds.length > 0) return createSeveralNames(namedBlock, matches, disclosure);
  const members = matches.flatMap((row) => membersWithNames.map((member) => row[member]));
  const foundNames = members.filter((text): text is string => typeof text === 'string' && text !== '');
  return checkStatedId({ id: foundId, names: [...new Set(foundNames)] }, namedBlock);
}

/** Creates the problem that several rows of the directory have the name in a block. It lists them, so that the user can choose one. */
function createSeveralNames(
  { name, block: { address, at }, otherNames: { directory } }: NamedBlock,
  rows: readonly ApiObject[],
  disclosure: NameDisclosure,
): Diagnostic {
  const shownRows = rows.map((row) => shownNamesIn(row, directory, disclosure).join(', '));
  return problem(
    'match/several-names',
    `${JSON.stringify(name)} names more than one ${directory.noun}: ${shownRows.join('; ')}`,
    { address, at, hint: `write the ${directory.id} of the one that is meant` },
  );
}

/** Creates the problem that no row of the directory has the name in a block. It lists the first names that exist and may be shown. */
function createUnknownName(
  { name, block: { address, at }, otherNames: { directory } }: NamedBlock,
  rows: readonly ApiObject[],
  disclosure: NameDisclosure,
): Diagnostic {
  const candidates = rows.flatMap((row) => shownNamesIn(row, directory, disclosure).slice(0, 1)).sort();
  const advice = 'who is only invited has to join first';
  const hint =
    candidates.length === 0 ? advice : `there are ${listFirst(candidates, maxCandidates)}; ${advice}`;
  return problem('match/unknown-name', `${JSON.stringify(name)} names no ${directory.noun}`, {
    address,
    at,
    hint,
  });
}

/** Returns the names and the id of a row that messages may show (`isShownName`: they look like names, and have no part of a secret). */
const shownNamesIn = (
  row: ApiObject,
  { names, id }: OtherNamesOfKind['directory'],
  disclosure: NameDisclosure,
): string[] => [...names, id].map((member) => row[member]).filter((text) => isShownName(text, disclosure));

/** True for an id that a request may have, and that the plan may show. */
const isUsableId = (id: unknown, { isSecretOfRun }: NameDisclosure): boolean =>
  typeof id === 'string' && /^[a-z\d][\w-]{0,99}$/i.test(id) && !isSecretOfRun?.(id);

/** True for a name that looks like a user name, an id or an e-mail address, and shows no part of a secret. Messages list only these. */
const isShownName = (name: unknown, { mask = (text) => text }: NameDisclosure): name is string =>
  typeof name === 'string' && /^[a-z\d][\w.+@-]{0,253}$/i.test(name) && mask(name) === name;

/** Returns the row that was found for a name, or the problem that the block states the id (`$id`) of another one. */
const checkStatedId = (
  row: FoundRow,
  { name, statedId, block: { address, at }, otherNames: { directory, idField } }: NamedBlock,
): FoundRow | Diagnostic =>
  statedId === undefined || statedId === row.id
    ? row
    : problem(
        'match/unknown-name',
        `${JSON.stringify(name)} names another ${directory.noun} than \`${idField}: ${statedId}\``,
        { address, at, hint: `leave out \`${idField}\`, or write the name of the one that is meant` },
      );

/** The most names that an error lists. */
const maxCandidates = 10;

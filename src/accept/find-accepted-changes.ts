import type { LoadedBlock } from '../config/blocks/block.ts';
import { comparedFields, identityOf, omitMembers, schemaAt } from '../kind/compare.ts';
import type { Kind } from '../kind/kind.ts';
import { traitsOf } from '../kind/traits.ts';
import { type Address, lastNameOf } from '../model/address.ts';
import { type Change, isDeletedOutside, isJoinedOutside } from '../model/change.ts';
import { addTo } from '../model/graph.ts';
import { atPath, type Fields, holdsSecret, namesInPath, pathOfNames } from '../model/value.ts';
import { acceptEntry } from './accept-entry.ts';
import {
  type Acceptance,
  type AcceptedField,
  type AcceptInput,
  type Selection,
  wholeObject,
} from './acceptance.ts';
import { AcceptanceBuilder } from './acceptance-builder.ts';
import type { WrittenValue } from './edit-value.ts';
import { isUnordered, writeDesiredValue } from './written-values.ts';

/**
 * Decides what `trueup accept` writes into the configuration: converts each selected change that was made
 * outside, in the account, to a change of the block that declares the object. Outside, an object can be
 * deleted, get other fields, or get another target. Changes that no YAML can express are left out with a
 * reason.
 */
export function findAcceptedChanges(input: AcceptInput, selection: Selection): Acceptance {
  const builder = new AcceptanceBuilder(input, selection);
  const selected = input.plan.changes.filter(({ address }) => selection.isChosen(address));
  for (const change of selected) leaveOutUnreadableSecret(builder, change);
  for (const { kind, change } of findUnplannedSets(builder)) acceptSet(builder, kind, change);
  acceptOutsideChanges(
    builder,
    selected.filter(
      (change) =>
        isDeletedOutside(change) ||
        isJoinedOutside(change) ||
        builder.fieldsChangedOutside(change).length > 0,
    ),
  );
  return builder.result;
}

/**
 * Accepts the changes that were made outside and chosen for `trueup accept`, each block once. How depends on the kind: a set is one object
 * declared by several blocks (`mergeRows`), an entry is one block that declares several objects (`rowOf`), such as a variable for three
 * targets, and any other block is one object that was deleted or has changed fields. A secret of another object (`$secretTo`) is left out
 * with a reason.
 */
function acceptOutsideChanges(builder: AcceptanceBuilder, changes: readonly Change[]): void {
  const acceptedBlocks = new Set<LoadedBlock>();
  const changesByBlock = new Map<LoadedBlock, Change[]>();
  for (const change of changes)
    for (const block of new Set(builder.blocksFor(change))) addTo(changesByBlock, block, change);
  const acceptBlock = (block: LoadedBlock, kind: Kind, change: Change) => {
    if (kind.shape.rowOf) acceptEntry(builder, kind, block, changesByBlock.get(block)!);
    else if (isDeletedOutside(change)) acceptDeletion(builder, change, block);
    else acceptFields(builder, kind, change, block);
  };
  for (const change of changes) {
    const kind = builder.input.kinds.get(change.kind)!;
    const secretSource = change.after?.meta.secretOf?.object;
    if (secretSource !== undefined)
      builder.leaveOut(change.address, `\`$secretTo\` of ${secretSource} declares it: edit that by hand`);
    else if (kind.shape.mergeRows) acceptSet(builder, kind, change);
    else
      for (const block of builder.blocksFor(change)) {
        if (acceptedBlocks.has(block)) continue;
        acceptedBlocks.add(block);
        acceptBlock(block, kind, change);
      }
  }
}

/**
 * Records for an object with a secret that was written outside that `trueup accept` cannot take the secret
 * over: the platform does not return it. Without this message the user would believe that everything was
 * accepted.
 */
function leaveOutUnreadableSecret(
  builder: AcceptanceBuilder,
  { address, writtenOutside, after }: Change,
): void {
  if (!writtenOutside) return;
  const secretSource = after?.meta.secretOf?.object;
  builder.leaveOut(
    address,
    secretSource === undefined
      ? 'its secret may have changed outside and cannot be read back: set it here and send it with --send-unverified'
      : `its value is the secret of ${secretSource}, which cannot be read back`,
  );
}

/**
 * Accepts that an object was deleted outside: its block is removed. Leaves it out if the block contains another declared object that is
 * not removed as well, because that declaration would be lost.
 */
function acceptDeletion(builder: AcceptanceBuilder, { address }: Change, block: LoadedBlock): void {
  const remainingChild = builder.remainingChildOf(address);
  if (remainingChild !== undefined) {
    builder.leaveOut(address, `it no longer exists, but ${remainingChild} is still declared in it`);
    return;
  }
  builder.result.accepted.push({ type: 'deleted', addresses: [address], block });
  builder.markAccepted(address, wholeObject);
}

/**
 * Records for `trueup accept` the fields of an object that were changed outside, so that their live values are
 * written into its block. A new name is recorded as a rename instead of a field, because other blocks refer to
 * the object by its name. Also records the paths of the fields as accepted, by which `accept` later proves that
 * it changed nothing else.
 */
function acceptFields(builder: AcceptanceBuilder, kind: Kind, change: Change, block: LoadedBlock): void {
  // A group of settings that was removed outside has a change for each setting, which become one change of the group.
  const changedPaths = builder.fieldsChangedOutside(change).map(({ path }) => pathToWrite(path, change));
  const acceptedFields = [...new Set(changedPaths)].flatMap(
    (path) => acceptField(builder, kind, change, path) ?? [],
  );
  const newAddress = change.before?.renamedTo;
  const isNewName = ({ path }: AcceptedField) =>
    newAddress !== undefined && kind.key.includes(pathOfNames(path));
  for (const field of acceptedFields.filter(isNewName))
    acceptNewName(builder, change.address, newAddress!, block, field);
  const fields = acceptedFields.filter((field) => !isNewName(field));
  if (fields.length === 0) return;
  builder.result.accepted.push({ type: 'fields', addresses: [change.address], block, fields });
  for (const { path } of fields) builder.markAccepted(change.address, pathOfNames(path));
}

/**
 * Accepts a field as the new name of an object that was renamed outside, so that `trueup accept` writes a rename with `$was`. A name that
 * another declared object has is left out: `$was` could not tell the two apart. So is that of one that was deleted outside, because the
 * ledger still has it.
 */
function acceptNewName(
  builder: AcceptanceBuilder,
  address: Address,
  newAddress: Address,
  block: LoadedBlock,
  field: AcceptedField,
): void {
  if (builder.input.desired.resources.has(newAddress)) {
    builder.leaveOut(
      address,
      `it is called \`${lastNameOf(newAddress)}\` in the account, which is another object here: the next apply calls it \`${lastNameOf(address)}\` again; to keep a new name, choose one that is free`,
    );
    return;
  }
  builder.result.accepted.push({ type: 'renamed', block, field, from: address, to: newAddress });
  builder.markAccepted(address, pathOfNames(field.path));
}

/**
 * Converts the live value of a field that was changed outside to a change of the YAML, for `trueup accept`. Returns undefined, and records
 * why, if it cannot be written there.
 */
function acceptField(
  builder: AcceptanceBuilder,
  kind: Kind,
  change: Change,
  path: string,
): AcceptedField | undefined {
  const live = builder.readLiveValue(kind, change, path);
  if (!live) return undefined;
  const schema = schemaAt(kind.fields, path);
  const newValue = builder.writeLiveValue(path, schema, live.value);
  if ('problem' in newValue) {
    builder.leaveOut(change.address, newValue.problem);
    return undefined;
  }
  const before = writeDesiredValue(schema, atPath(change.after!.fields, path));
  return { path: namesInPath(path), before, after: newValue.written, isUnordered: isUnordered(schema) };
}

/**
 * Returns the path of the value that `accept` writes for a changed field: the field itself, or the outermost group of settings around it
 * that the account lacks. If somebody removed the group `build` outside, `build.command` and `build.folder` are changes. Both become
 * `build`, so that `accept` removes the group as a whole instead of leaving it empty. A dot in a name is written `\.`.
 */
function pathToWrite(path: string, { before: live }: Change): string {
  const names = path.split(/(?<!\\)\./);
  const pathOfLength = (length: number) => names.slice(0, length).join('.');
  const isInAccount = (length: number) => atPath(live?.fields ?? {}, pathOfLength(length)) != null;
  let { length } = names;
  // A removed setting of a group that is still there is removed alone.
  while (length > 1 && !isInAccount(length) && !isInAccount(length - 1)) length--;
  return pathOfLength(length);
}

/*
 * Accepts changes of sets. A set is an object whose members are blocks of their own, such as DNS records with one name and type. Members
 * have no names, so the members of the account have to be paired with the blocks first.
 */

/** A set as it is in the account (`before`) and in the configuration (`after`). */
type SetChange = Pick<Change, 'address' | 'before' | 'after'>;

/** A live member of a set and the block that declares it, or declared the member that it replaced. `row`: the declared fields. */
interface MemberPair {
  block: LoadedBlock;
  row: Fields;
  live: Fields;
}

/**
 * Returns the selected sets (objects that several blocks declare together, such as the DNS records of one name; kinds with `mergeRows`)
 * that have no change in the plan, as if they had one. The plan refuses to change a set with a member that no block declares;
 * `trueup accept` is the way to declare that member. For a set without such a member, there will be nothing to write.
 */
function findUnplannedSets({ input, selection }: AcceptanceBuilder): { kind: Kind; change: SetChange }[] {
  const { desired, plan, live, kinds } = input;
  const planned = new Set(plan.changes.map(({ address }) => address));
  return [...desired.resources.values()].flatMap((after) => {
    const { address, meta } = after;
    const kind = kinds.get(after.kind)!;
    const before = live.resources.get(address);
    // `$existing` only declares that the object exists.
    if (!kind.shape.mergeRows || !before || meta.existing) return [];
    if (planned.has(address) || !selection.isChosen(address)) return [];
    return [{ kind, change: { address, before, after } }];
  });
}

/**
 * Accepts the members of a set (an object that several blocks declare together, such as the DNS records of one name) as they are in the
 * account: `trueup accept` then changes the blocks of changed members, removes those of deleted members, and adds new ones. Fields of a
 * member that its block need not declare (`optionalNames`), such as a comment, stay undeclared. Leaves out the set, with the reason, if it
 * contains a secret or if a member cannot be written.
 */
function acceptSet(builder: AcceptanceBuilder, kind: Kind, { address, before, after }: SetChange): void {
  if (holdsSecret(before?.fields) || holdsSecret(after?.fields)) {
    builder.leaveOut(address, 'it contains a secret: edit it by hand');
    return;
  }
  const rowOf = kind.shape.rowOf!;
  const blocks = builder.blocksOf.get(address) ?? [];
  const liveMembers = (before?.rows ?? []).map(({ fields }) => rowOf([fields]));
  const optionalNames = Object.values(comparedFields(kind)).flatMap(
    (schema) => traitsOf(schema).whereDeclared ?? [],
  );
  const { pairs, removed, added } = pairMembers(blocks, liveMembers, rowOf, optionalNames);
  // The live members, without the optional fields (such as a comment) that their blocks leave out.
  const keptMembers = pairs.map(({ block, row, live }) => {
    const undeclaredNames = optionalNames.filter((name) => row[name] === undefined);
    return { block, row, declared: omitMembers(live, undeclaredNames) };
  });
  const changed = keptMembers.flatMap(({ block, row, declared }) => {
    const fields = builder.diffFields(kind, row, declared, address);
    return fields ? [{ block, fields }] : [];
  });
  const newMembers = added.map((member) =>
    writeMember(builder, kind, omitUsual(kind, member, optionalNames), address),
  );
  const oldMembers = keptMembers.map(({ declared }) => writeMember(builder, kind, declared, address));
  const allMembers = [...oldMembers, ...newMembers];
  const isWritable = changed.length === keptMembers.length && !allMembers.includes(undefined);
  // `diffFields` has recorded the reason.
  if (!isWritable) return;
  builder.result.accepted.push({
    type: 'set',
    address,
    addresses: [address],
    changed,
    removed,
    added: newMembers,
    allMembers,
    blocks,
  });
  builder.markAccepted(address, wholeObject);
}

/**
 * Pairs the blocks of a set (an object that several blocks declare together, such as the DNS records of one
 * name) with its live members, so that `accept` edits as few blocks as possible: first those that are equal
 * apart from optional members, such as a comment, then the others in their order. Returns the remaining
 * blocks as `removed` and the remaining members as `added`. `rowOf`: returns the fields of a member.
 */
function pairMembers(
  blocks: readonly LoadedBlock[],
  liveMembers: readonly Fields[],
  rowOf: (units: Fields[]) => Fields,
  optionalNames: readonly string[],
): { pairs: MemberPair[]; removed: LoadedBlock[]; added: Fields[] } {
  const unpairedMembers = [...liveMembers];
  const pairs: MemberPair[] = [];
  const unpaired: { block: LoadedBlock; row: Fields }[] = [];
  for (const block of blocks) {
    const row = rowOf(block.units.map(({ fields }) => fields));
    const identity = identityOf(row, optionalNames);
    const index = unpairedMembers.findIndex((live) => identityOf(live, optionalNames) === identity);
    if (index < 0) unpaired.push({ block, row });
    else pairs.push({ block, row, live: unpairedMembers.splice(index, 1)[0]! });
  }
  // Takes as many blocks out of `unpaired` as there are members for them.
  const editedBlocks = unpaired.splice(0, unpairedMembers.length);
  for (const { block, row } of editedBlocks) pairs.push({ block, row, live: unpairedMembers.shift()! });
  return { pairs, removed: unpaired.map(({ block }) => block), added: unpairedMembers };
}

/**
 * Returns a new member of a set without the optional members that every object has, such as the usual `ttl` or an empty `comment`.
 * Declaring them would add fields that no user has chosen.
 */
const omitUsual = ({ usual }: Kind, member: Fields, optionalNames: readonly string[]): Fields =>
  omitMembers(
    member,
    optionalNames.filter((name) => member[name] === '' || member[name] === usual?.[name]),
  );

/** Converts a live member of a set to the form of a new block. Returns undefined, and records why, if the YAML cannot express it. */
function writeMember(builder: AcceptanceBuilder, kind: Kind, member: Fields, address: Address): WrittenValue {
  const fields = builder.diffFields(kind, {}, member, address);
  return fields && Object.fromEntries(fields.map(({ path, after }) => [path[0]!, after]));
}

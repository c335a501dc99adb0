import type { ReadBlock } from '../config/blocks/block.ts';
import { identityOf, omitMembers } from '../kind/compare.ts';
import type { Kind } from '../kind/kind.ts';
import { comparedFields } from '../kind/leaves.ts';
import { traitsOf } from '../kind/traits.ts';
import type { Address } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { type Fields, holdsSecret } from '../model/value.ts';
import type { AcceptanceBuilder } from './acceptance.ts';
import type { AcceptedField } from './accepted-change.ts';
import type { WrittenValue } from './edit-value.ts';

/*
 * Accepts changes of sets. A set is an object whose members are blocks of their own, such as DNS records with one name and type. Members have
 * no names, so the members of the account have to be paired with the blocks first.
 */

/** A set as it is in the account (`before`) and in the configuration (`after`). */
type SetChange = Pick<Change, 'address' | 'before' | 'after'>;

/** A live member of a set and the block that declares it, or declared the member that it replaced. `row`: the declared fields. */
interface MemberPair {
  block: ReadBlock;
  row: Fields;
  live: Fields;
}

/**
 * Returns the selected sets that the plan has no change for, as if they had one. The plan refuses to change a set with a member that no
 * block declares; accepting the set is the way to declare that member.
 */
export function findUnplannedSets({
  input,
  selection,
}: AcceptanceBuilder): { kind: Kind; change: SetChange }[] {
  const { desired, plan, live, kinds } = input;
  const planned = new Set(plan.changes.map(({ address }) => address));
  return [...desired.resources.values()].flatMap((after) => {
    const { address, meta } = after;
    const kind = kinds.get(after.kind)!;
    const before = live.resources.get(address);
    if (!kind.shape.mergeRows || !before || meta.existing || meta.forget) return [];
    if (planned.has(address) || !selection.isChosen(address)) return [];
    return [{ kind, change: { address, before, after } }];
  });
}

/**
 * Accepts the members that a set has in the account: changes the blocks of changed members, removes those of deleted members, and adds
 * new ones. Records why if a member cannot be written, or contains a secret.
 */
export function acceptSet(
  builder: AcceptanceBuilder,
  kind: Kind,
  { address, before, after }: SetChange,
): void {
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
  const changed: { block: ReadBlock; fields: AcceptedField[] }[] = [];
  let canWrite = true;
  for (const { block, row, live } of pairs) {
    const undeclaredNames = optionalNames.filter((name) => row[name] === undefined);
    const fields = builder.diffFields(kind, row, omitMembers(live, undeclaredNames), address);
    if (fields) changed.push({ block, fields });
    else canWrite = false;
  }
  const allMembers = liveMembers.map((member) => writeMember(builder, kind, member, address));
  const newMembers = added.map((member) => writeMember(builder, kind, member, address));
  if (!canWrite || allMembers.includes(undefined)) return;
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
  builder.markAccepted(address, '');
}

/**
 * Pairs the blocks of a set with its live members: first those that are equal apart from optional members, such as a comment, then the
 * others in their order, so that their blocks are edited. Returns the remaining blocks as `removed` and the remaining members as `added`.
 */
function pairMembers(
  blocks: readonly ReadBlock[],
  liveMembers: readonly Fields[],
  rowOf: (units: Fields[]) => Fields,
  optionalNames: readonly string[],
): { pairs: MemberPair[]; removed: ReadBlock[]; added: Fields[] } {
  const unpairedMembers = [...liveMembers];
  const pairs: MemberPair[] = [];
  const unpaired: { block: ReadBlock; row: Fields }[] = [];
  for (const block of blocks) {
    const row = rowOf(block.units.map(({ fields }) => fields));
    const identity = identityOf(row, optionalNames);
    const index = unpairedMembers.findIndex((live) => identityOf(live, optionalNames) === identity);
    if (index < 0) unpaired.push({ block, row });
    else pairs.push({ block, row, live: unpairedMembers.splice(index, 1)[0]! });
  }
  const editedBlocks = unpaired.splice(0, unpairedMembers.length);
  for (const { block, row } of editedBlocks) pairs.push({ block, row, live: unpairedMembers.shift()! });
  return { pairs, removed: unpaired.map(({ block }) => block), added: unpairedMembers };
}

/** Converts a live member of a set to the form of a new block. Returns undefined, and records why, if the YAML cannot express it. */
function writeMember(builder: AcceptanceBuilder, kind: Kind, member: Fields, address: Address): WrittenValue {
  const fields = builder.diffFields(kind, {}, member, address);
  return fields && Object.fromEntries(fields.map(({ path, after }) => [path[0]!, after]));
}

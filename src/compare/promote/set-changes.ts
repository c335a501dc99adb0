import type { AcceptedChange, AcceptedField } from '../../accept/acceptance.ts';
import type { WrittenValue } from '../../accept/edit-value.ts';
import { isUnordered } from '../../accept/written-values.ts';
import type { LoadedBlock } from '../../config/blocks/block.ts';
import type { Kind } from '../../kind/kind.ts';
import type { Address } from '../../model/address.ts';
import { canonicalJson } from '../../model/digest.ts';
import type { ComparedPair } from '../compare-sides.ts';
import { blocksOfB, type CopyContext } from './copy-context.ts';
import { copyValue } from './copy-value.ts';

/**
 * Returns the change that gives a set of side B (one object that several blocks declare, such as the DNS records of one name) the members
 * of side A, for `trueup diff --promote`: equal members keep their blocks, other blocks of B become members that only A has, and the rest
 * is removed or added.
 */
export function changeSet({ a, b }: ComparedPair, context: CopyContext): AcceptedChange {
  const { comparison, kind, toB } = context;
  const members = (comparison.a.blocksOf.get(a.address) ?? []).map((read) => composeMember(read, kind, toB));
  const blocks = blocksOfB(context, b.address).map((block) => ({
    block,
    member: composeMember(block, kind, (address) => address),
  }));
  const { missing, unneeded } = omitEqualMembers(members, blocks);
  const changedCount = Math.min(missing.length, unneeded.length);
  return {
    type: 'set',
    address: b.address,
    addresses: [b.address],
    changed: unneeded.slice(0, changedCount).map(({ block, member }, index) => ({
      block,
      fields: diffMembers(kind, member, missing[index]!),
    })),
    removed: unneeded.slice(changedCount).map(({ block }) => block),
    added: missing.slice(changedCount),
    allMembers: members,
    blocks: blocks.map(({ block }) => block),
  };
}

/** A block of B, with the member of the set that it declares. */
interface MemberBlock {
  block: LoadedBlock;
  member: SetMember;
}

/**
 * Returns the members of A that B lacks, and the blocks of B whose members A lacks. Of equal members, each one of A counts for one block of
 * B.
 */
function omitEqualMembers(
  membersOfA: readonly SetMember[],
  blocksOfB: readonly MemberBlock[],
): { missing: SetMember[]; unneeded: MemberBlock[] } {
  const missing = [...membersOfA];
  const unneeded: MemberBlock[] = [];
  for (const memberBlock of blocksOfB) {
    const text = canonicalJson(memberBlock.member);
    const index = missing.findIndex((member) => canonicalJson(member) === text);
    if (index < 0) unneeded.push(memberBlock);
    else missing.splice(index, 1);
  }
  return { missing, unneeded };
}

/** Returns the fields in which two members of a set differ (two DNS records of one name, for example), as changes of the YAML. */
const diffMembers = (kind: Kind, before: SetMember, after: SetMember): AcceptedField[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => canonicalJson(before[name] ?? null) !== canonicalJson(after[name] ?? null))
    .map((name) => ({
      path: [name],
      before: before[name],
      after: after[name],
      isUnordered: isUnordered(kind.fields[name]),
    }));

/** A member of a set as plain data. */
interface SetMember {
  [name: string]: WrittenValue;
}

/**
 * Returns the block of one member of a set (of DNS records of one name, for example) as plain data, with the fields that it declares.
 * References name the objects of side B.
 */
const composeMember = (
  { block, fields }: LoadedBlock,
  kind: Kind,
  toB: (address: Address) => Address,
): SetMember =>
  Object.fromEntries(
    block.fieldEntries.map(({ key }) => [key.text, copyValue(kind.fields[key.text], fields[key.text], toB)]),
  );

import { canDo, childKinds, ignorableFields, isSingleton } from '../kind/define-kind.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import { traitsOf } from '../kind/traits.ts';
import { longestWait } from '../model/resource.ts';

/** A meta key (`$protect` and so on) that has a meaning for a kind, with words for its value and its effect. */
export interface MetaKey {
  key: string;
  takes: string;
  does: string;
}

/** The words about a meta key. `sections`: the child sections whose objects can be deleted; `inOrder`: those whose order decides. */
interface MetaKeyText {
  takes: string;
  does: string | ((kind: Kind, sections: string[], inOrder: string[]) => string);
  /** True if the key has a meaning for a kind. Absent if it has one for every kind. */
  applies?(kind: Kind, sections: string[], inOrder: string[]): boolean;
}

/**
 * True if some changes of an object of this kind need its replacement (deletion and creation). That is possible, but
 * must be allowed. So the manual page of the kind lists the key `$replace: allow`.
 */
function isReplaceable(kind: Kind): boolean {
  const needsConsent = (kind.lifecycle.replace ?? 'ask') === 'ask';
  const canBeRecreated = canDo(kind, 'create') && canDo(kind, 'delete');
  const hasImmutableField = Object.values(kind.fields).some((schema) => traitsOf(schema).immutable);
  const canUpdateAll = canDo(kind, 'update') && !hasImmutableField;
  return needsConsent && canBeRecreated && !canUpdateAll;
}

const hasFixedKey = ({ key, fields }: Kind) => key.some((name) => traitsOf(fields[name]!).immutable);

/**
 * Returns what the manual page of a kind says about `$was` (a rename): the effect depends on whether the platform
 * can change the name of such an object.
 */
const renameWords = (kind: Kind): string => {
  if (!hasFixedKey(kind)) return 'it is renamed';
  return kind.lifecycle.replace === 'never'
    ? 'rejected, since its name cannot be changed'
    : 'it is replaced, since its name cannot be changed';
};

/** All meta keys by name, with their words for the manual. */
export const metaKeys: Record<string, MetaKeyText> = {
  $existing: { takes: 'true', does: 'it must exist; never created, changed or deleted from here' },
  $protect: {
    takes: 'true',
    does: 'a plan that would delete it is rejected',
    applies: (kind) => canDo(kind, 'delete'),
  },
  $ignore: {
    takes: '[fields]',
    does: 'these fields are sent when it is created, and neither compared nor sent later',
    applies: (kind) => ignorableFields(kind).length > 0,
  },
  $was: {
    takes: 'NAME',
    does: (kind) => `its previous name: ${renameWords(kind)}`,
    applies: (kind) => !isSingleton(kind) && canDo(kind, 'create'),
  },
  $from: {
    takes: 'STACK',
    does: 'this stack takes it over from that one, with its contents and its ledger entries, if that one consents',
  },
  $handover: {
    takes: 'STACK',
    does: 'that stack may take it and its contents over; no longer changed or deleted from here',
  },
  $id: {
    takes: 'ID',
    does: 'selects one of several live objects',
    applies: (kind) => !isSingleton(kind) && canDo(kind, 'create') && !kind.shape.mergeRows,
  },
  $exclusive: {
    takes: '[sections]',
    does: (_, sections) => `everything undeclared in these sections is deleted: ${sections.join(', ')}`,
    applies: (_, sections) => sections.length > 0,
  },
  $dependsOn: { takes: '[addresses]', does: 'these are created before it and deleted after it' },
  $replace: {
    takes: 'allow',
    does: 'it may be deleted and recreated where the platform cannot change it',
    applies: isReplaceable,
  },
  $allow: {
    takes: '[permissions]',
    does: 'allows changes to it and its contents that cost money (`cost`) or remove access (`remove-access`)',
    applies: ({ lifecycle }) => lifecycle.asks !== undefined || lifecycle.container === true,
  },
  $secretTo: {
    takes: 'PLACE',
    does: 'where to write the secret that the platform shows only once: { variable }, { file }, { command } or discard',
    applies: ({ shows }) => shows !== undefined,
  },
  $position: {
    takes: 'PLACE',
    does: (_, __, inOrder) =>
      `where its ${inOrder.join(' and ')} go among all others: first, last or { before: STACK }`,
    applies: (_, __, inOrder) => inOrder.length > 0,
  },
  $then: {
    takes: '[actions]',
    does: 'actions to run after a run changed it or its contents',
  },
  $wait: {
    takes: '{ minutes: N }',
    does: `apply waits for it to be ready, at most N minutes (1 to ${longestWait})`,
    applies: ({ read }) => read.later !== undefined,
  },
};

/**
 * Returns the `$` keys that have a meaning in a block of a kind, for its manual page. `$exclusive` applies to sections in the block whose
 * objects can be deleted and are no containers, `$position` to those whose order matters.
 */
export function metaKeysOf(kinds: Kinds, kind: Kind): MetaKey[] {
  const sections = childKinds(kinds, kind.name)
    .filter((child) => !child.lifecycle.container && canDo(child, 'delete'))
    .map(({ section }) => section);
  const inOrder = childKinds(kinds, kind.name)
    .filter(({ shape }) => shape.orderDecides)
    .map(({ section }) => section);
  return Object.entries(metaKeys)
    .filter(([, { applies }]) => applies?.(kind, sections, inOrder) ?? true)
    .map(([key, { takes, does }]) => ({
      key,
      takes,
      does: typeof does === 'string' ? does : does(kind, sections, inOrder),
    }));
}

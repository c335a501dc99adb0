import { can, childKinds } from '../kind/define-kind.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import { traitsOf } from '../kind/traits.ts';
import { longestWait } from '../model/resource.ts';

/** A `$` key that means something for a kind. */
export interface MetaKey {
  key: string;
  takes: string;
  does: string;
}

interface About {
  takes: string;
  does: string | ((kind: Kind, sections: string[], inOrder: string[]) => string);
  /** True if the key means something for this kind; it always does if this is absent. */
  applies?(kind: Kind, sections: string[], inOrder: string[]): boolean;
}

const isReplaceable = (kind: Kind) =>
  (kind.lifecycle.replace ?? 'ask') === 'ask' &&
  can(kind, 'create') &&
  can(kind, 'delete') &&
  (!can(kind, 'update') || Object.values(kind.fields).some((schema) => traitsOf(schema).immutable));

const hasFixedKey = ({ key, fields }: Kind) => key.some((name) => traitsOf(fields[name]!).immutable);

const renameWords = (kind: Kind): string => {
  if (!hasFixedKey(kind)) return 'it is renamed';
  return kind.lifecycle.replace === 'never'
    ? 'refused, since its name cannot be changed'
    : 'it is replaced, since its name cannot be changed';
};

/** All `$` keys, as the configuration reads them. */
export const metaKeys: Record<string, About> = {
  $existing: { takes: 'true', does: 'it must exist; never created, changed or deleted from here' },
  $protect: {
    takes: 'true',
    does: 'a plan that would delete it is refused',
    applies: (kind) => can(kind, 'delete'),
  },
  $ignore: {
    takes: '[fields]',
    does: 'these are neither compared nor sent',
    applies: ({ fields, key }) => Object.keys(fields).length > key.length,
  },
  $was: {
    takes: 'NAME',
    does: (kind) => `the name that it had before: ${renameWords(kind)}`,
    applies: (kind) => kind.key.length > 0 && can(kind, 'create'),
  },
  $from: {
    takes: 'STACK',
    does: 'that stack had it, and what is in it: it is handed over, with what is remembered of it',
  },
  $id: {
    takes: 'ID',
    does: 'which of several live objects is meant',
    applies: (kind) => kind.key.length > 0 && can(kind, 'create') && !kind.shape.merged,
  },
  $exclusive: {
    takes: '[sections]',
    does: (_, sections) => `what is not declared in these sections is deleted: ${sections.join(', ')}`,
    applies: (_, sections) => sections.length > 0,
  },
  $dependsOn: { takes: '[addresses]', does: 'these come first, and go last' },
  $replace: {
    takes: 'allow',
    does: 'it may be deleted and created anew where the platform cannot change it',
    applies: isReplaceable,
  },
  $forget: { takes: 'true', does: 'trueup stops managing it; it stays as it is' },
  $onRemove: {
    takes: 'delete',
    does: 'once applied, removing the block deletes it',
    applies: (kind) => kind.lifecycle.container === true && can(kind, 'delete'),
  },
  $allow: {
    takes: '[permissions]',
    does: 'allows, for it and what is in it, what costs money (`cost`) or takes access away (`remove-access`)',
    applies: ({ lifecycle }) => lifecycle.asks !== undefined || lifecycle.container === true,
  },
  $secretTo: {
    takes: 'PLACE',
    does: 'where the secret goes that the platform shows once: { file }, { command } or discard',
    applies: ({ shows }) => shows !== undefined,
  },
  $position: {
    takes: 'PLACE',
    does: (_, __, inOrder) =>
      `where its ${inOrder.join(' and ')} stand among all others: first, last or { before: STACK }`,
    applies: (_, __, inOrder) => inOrder.length > 0,
  },
  $then: {
    takes: '[actions]',
    does: 'these follow once a run has changed it, or what is in it',
  },
  $wait: {
    takes: '{ minutes: N }',
    does: `an apply waits for it to be ready, N minutes (1 to ${longestWait}) at most`,
    applies: ({ read }) => read.later !== undefined,
  },
};

/**
 * The `$` keys that mean something for a kind. `$exclusive` takes the sections of which something can be deleted, `$position` is about those
 * whose order decides.
 */
export function metaKeysOf(kinds: Kinds, kind: Kind): MetaKey[] {
  const sections = childKinds(kinds, kind.name)
    .filter((child) => !child.lifecycle.container && can(child, 'delete'))
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

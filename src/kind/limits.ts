import { comparedFields } from './compare.ts';
import { canDo, isReadable, isSingleton } from './define-kind.ts';
import type { Kind, ShownOnce } from './kind.ts';
import { traitsOf } from './traits.ts';

/** The names of the limits of a kind: things that the platform's API cannot do, or does only at a price. */
export const limits = [
  'unread',
  'unlisted',
  'write-only',
  'undeclarable',
  'made-elsewhere',
  'kept',
  'shown-once',
  'costs',
  'removes-access',
  'irreversible',
  'ready-later',
  'needs-person',
] as const;

/** One limit of a kind. */
export interface Limit {
  limit: (typeof limits)[number];
  /** One sentence for people. */
  words: string;
}

/**
 * Returns the limits of a kind for its manual page: each reason why its objects cannot be read, created or deleted freely, with a sentence
 * for users. They follow from the kind's declaration, so that the manual cannot contradict it. The table has all limits, each with its
 * condition.
 */
export function limitsOf(kind: Kind): Limit[] {
  const { read, shows, lifecycle, undeclared = [] } = kind;
  const { later } = read;
  const isRead = isReadable(kind);
  // The only object of a kind in its parent, such as the firewall of a project, exists as long as the parent.
  const hasLifetime = !isSingleton(kind);
  const asks = Object.keys(lifecycle.asks ?? {});
  const writeOnly = Object.entries(comparedFields(kind))
    .filter(([, schema]) => traitsOf(schema).writeOnly)
    .map(([name]) => `\`${name}\``);
  const candidates: [applies: boolean, limit: Limit['limit'], words: string][] = [
    [
      !isRead,
      'unread',
      'It cannot be read: changes made elsewhere go unnoticed and are overwritten, and it cannot be adopted or exported.',
    ],
    [
      isRead && read.endpoint === undefined,
      'unlisted',
      read.single?.takes === 'id'
        ? 'The platform does not list them, and finds one only by its id: declare one that exists with `$id`, also if an interrupted run may have created it. None are exported.'
        : 'The platform does not list them: only declared ones are found, and none are exported.',
    ],
    [
      isRead && writeOnly.length > 0,
      'write-only',
      `${writeOnly.join(', ')} cannot be read back: changes made elsewhere go unnoticed.`,
    ],
    [
      undeclared.length > 0,
      'undeclarable',
      `${undeclared.map((path) => `\`${path}\``).join(', ')} cannot be declared: what is set elsewhere stays, and an export names it.`,
    ],
    [
      hasLifetime && !canDo(kind, 'create'),
      'made-elsewhere',
      'It cannot be created from here: it must already exist.',
    ],
    [
      hasLifetime && !canDo(kind, 'delete'),
      'kept',
      'It cannot be deleted from here: it stays when its block is removed.',
    ],
    [
      shows !== undefined,
      'shown-once',
      `Its \`${shows?.secret}\` is shown only once, when it is created: \`$secretTo\` says where to write it.${shows ? placeholderWords(kind, shows) : ''}`,
    ],
    [asks.includes('cost'), 'costs', 'It can cost money: that requires `$allow: [cost]`.'],
    [
      asks.includes('remove-access'),
      'removes-access',
      'It controls who has access: removing access requires `$allow: [remove-access]`.',
    ],
    [
      lifecycle.container === true && canDo(kind, 'delete'),
      'irreversible',
      'Deleting it cannot be undone and deletes its contents.',
    ],
    [
      later !== undefined,
      'ready-later',
      `It is ready ${later?.rarely ? 'at once, or else' : 'only'} once ${later?.until}. \`$wait\` has an apply wait for that.`,
    ],
    [
      later?.person === true,
      'needs-person',
      `Somebody ${later?.rarely ? 'may have' : 'has'} to do something elsewhere for it to be ready: no apply can.`,
    ],
  ];
  return candidates.flatMap(([applies, limit, words]) => (applies ? { limit, words } : []));
}

/**
 * Returns a sentence about the names that the `value` of `$secretTo` can contain. Shown in the manual of kinds whose creation shows a
 * secret.
 */
function placeholderWords({ name }: Kind, { secret, also = [], opens = name }: ShownOnce): string {
  const names = [`\`\${secret}\` is the ${secret}`, `\`\${id}\` the id of the ${opens}`];
  const otherNames = also.map((member) => `\`\${${member}}\` the ${member} with the secret in it`);
  return ` In the \`value\` of a variable, ${[...names, ...otherNames].join(', ')}.`;
}

import { can, isReadable } from './define-kind.ts';
import type { Kind } from './kind.ts';
import { comparedFields } from './leaves.ts';
import { traitsOf } from './traits.ts';

/** What the platform's API does not do for a kind, or not without a price. */
export const limits = [
  'unread',
  'unlisted',
  'write-only',
  'made-elsewhere',
  'kept',
  'shown-once',
  'costs',
  'removes-access',
  'irreversible',
  'ready-later',
  'needs-person',
] as const;

export interface Limit {
  limit: (typeof limits)[number];
  /** One sentence for people. */
  words: string;
}

/** Everything that an object of this kind cannot be, of what objects usually are: readable, made and deleted at will, for free. */
export function limitsOf(kind: Kind): Limit[] {
  const { read, key, shows, lifecycle } = kind;
  const { later } = read;
  // What depends on the change is somebody's access: no price does.
  const { create, delete: deletion } =
    typeof lifecycle.asks === 'function' ? { delete: 'remove-access' } : (lifecycle.asks ?? {});
  const writeOnly = Object.entries(comparedFields(kind))
    .filter(([, schema]) => traitsOf(schema).writeOnly)
    .map(([name]) => `\`${name}\``);
  const asks = (permission: string, limit: Limit['limit'], words: string): Limit | undefined =>
    [create, deletion].includes(permission as never) ? { limit, words } : undefined;
  const found: (Limit | undefined)[] = [
    isReadable(kind)
      ? undefined
      : {
          limit: 'unread',
          words:
            'Nothing reads it: what was written elsewhere is not seen, is overwritten, and cannot be adopted or exported.',
        },
    isReadable(kind) && read.endpoint === undefined
      ? {
          limit: 'unlisted',
          words:
            'The platform does not list them: only those that are declared are found, and none is exported.',
        }
      : undefined,
    isReadable(kind) && writeOnly.length > 0
      ? {
          limit: 'write-only',
          words: `${writeOnly.join(', ')} cannot be read back: a change made elsewhere is not seen.`,
        }
      : undefined,
    key.length > 0 && !can(kind, 'create')
      ? { limit: 'made-elsewhere', words: 'It is not created here: it has to be there already.' }
      : undefined,
    key.length > 0 && !can(kind, 'delete')
      ? { limit: 'kept', words: 'It cannot be deleted here: it stays when its block is removed.' }
      : undefined,
    shows === undefined
      ? undefined
      : {
          limit: 'shown-once',
          words: `Its \`${shows}\` is shown once, when it is created: \`$secretTo\` takes it.`,
        },
    asks('cost', 'costs', 'It costs money: nothing of it happens without `$allow: [cost]`.'),
    asks(
      'remove-access',
      'removes-access',
      'It decides who has access: nothing is taken away without `$allow: [remove-access]`.',
    ),
    lifecycle.container && can(kind, 'delete')
      ? { limit: 'irreversible', words: 'A deletion cannot be undone: what is in it goes too.' }
      : undefined,
    later
      ? {
          limit: 'ready-later',
          words: `It is ready ${later.rarely ? 'at once, or else' : 'only'} once ${later.until}. \`$wait\` has an apply wait for that.`,
        }
      : undefined,
    later?.person
      ? {
          limit: 'needs-person',
          words: `Somebody ${later.rarely ? 'may have' : 'has'} to do something elsewhere for it to be ready: no apply can.`,
        }
      : undefined,
  ];
  return found.filter((one) => one !== undefined);
}

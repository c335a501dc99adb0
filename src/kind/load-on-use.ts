import type { Kind } from './kind.ts';

/** The members of a kind that find it: by its name, by the section of a block, or under its parent. */
type KindHead = Pick<Kind, 'name' | 'section' | 'parent'>;

type BodyMember = Exclude<keyof Kind, keyof KindHead>;

/** All other members of a kind. A record, so that the compiler notices a missing one. */
const bodyMembers: Record<BodyMember, true> = {
  doc: true,
  example: true,
  otherWords: true,
  key: true,
  id: true,
  form: true,
  fields: true,
  usual: true,
  undeclared: true,
  yaml: true,
  lifecycle: true,
  rules: true,
  shape: true,
  read: true,
  decode: true,
  encode: true,
  create: true,
  update: true,
  delete: true,
  move: true,
  shows: true,
};

const loadOfKind = new WeakMap<object, () => Kind>();

/**
 * The prototype of a kind that is not loaded yet: reading a member of its body loads it. Getters of each kind would take longer to define.
 */
const unloaded: object = Object.defineProperties(
  {},
  Object.fromEntries(
    (Object.keys(bodyMembers) as BodyMember[]).map((member) => [
      member,
      {
        get(this: Kind) {
          return loadDeclared(this)[member];
        },
      },
    ]),
  ),
);

/**
 * Gives a kind all members of its declaration, unless it has them already. Declarations are loaded at the first use, so that a command does
 * not load those of all kinds.
 */
function loadDeclared(kind: Kind): Kind {
  if (Object.getPrototypeOf(kind) !== unloaded) return kind;
  const declared = loadOfKind.get(kind)!();
  Object.setPrototypeOf(kind, Object.prototype);
  return Object.defineProperties(kind, Object.getOwnPropertyDescriptors(declared));
}

/**
 * Returns a kind that loads its declaration when a member besides the head is read: the getters of its prototype (`unloaded`) then give it
 * all declared members. The list of kinds in the built program consists of them, because a run uses few kinds. Until then `Object.keys` and
 * `...` show only the head: copy a kind with `kindWith`.
 */
export function loadedOnUse(head: KindHead, loadDeclaration: () => Kind): Kind {
  const kind: Kind = Object.assign(Object.create(unloaded), head);
  loadOfKind.set(kind, loadDeclaration);
  return kind;
}

/** Returns a copy of a kind with some members changed. */
export const kindWith = (kind: Kind, changed: Partial<Kind>): Kind => ({ ...loadDeclared(kind), ...changed });

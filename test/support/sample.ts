export type Block = Record<string, unknown>;

/**
 * What a kind looks like in use: a place for a block, the least block, and two values for every leaf of its fields.
 * `LABEL`, in names and values alike, is replaced by a name of the case's own, so that any number of cases share an account.
 */
export interface Sample {
  place(block: Block): Block;
  base: Block;
  /** By path: one value, another one, and what the leaf needs beside it. */
  leaves: Record<string, [one: unknown, other: unknown, beside?: Block]>;
  /** Leaves that say which object is meant: another value means another object. */
  identity?: string[];
  /** How the public client writes objects of a project, where that is plain: an account is filled, changed and compared through it. */
  sdk?: PlainSdk;
}

/** Operations of the public client by the catalog's ids. */
export interface PlainSdk {
  create: string;
  update?: string;
  /** What the parameters are called that name the project and the object. */
  project: string;
  object: string;
  /** Values of members by their path, where not just any of their type will do: those to choose from. */
  hints?: Record<string, unknown[]>;
  /** Members that the client fills in by itself where a change leaves them out, so that it must not. */
  filledIn?: string[];
  /** Members of bodies that are no settings of the object, and why. */
  noSettings?: Record<string, string>;
}

/** Values that turn up in several samples. */
export const inProject = (blocks: Block) => ({ projects: { LABEL: blocks } });

export const inFirewall = (blocks: Block) => inProject({ firewall: blocks });

export const flag: [boolean, boolean] = [true, false];

export const unset: [boolean, boolean] = [false, true];

export const text: [string, string] = ['one', 'two'];

/** People of the team, who can be in access groups. */
export const members = [{ uid: 'user_1', email: 'grace@example.com' }];

/** What an account must have beside the samples. */
export const sampleSeed = { team: { members } };

export const userId = { type: 'entity', kind: 'user', attribute: 'id' };

export const people = (...emails: string[]) => emails.map((value) => ({ value }));

export const plan = { type: 'entity', kind: 'user', attribute: 'plan' };

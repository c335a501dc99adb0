import type { Diagnostic, Position } from '../../model/diagnostic.ts';
import type { Growth } from '../growth.ts';
import type { Node, ScalarNode } from '../yaml/nodes.ts';

/** The names that expressions may begin with everywhere in a configuration. */
export interface Globals {
  /** Bounds all that expressions make. */
  growth: Growth;
  variables: Variables;
  /** Undefined where only what is static can stand. */
  secrets?: SecretNames;
  /** Undefined where only what is static can stand. */
  lookups?: LookupNames;
  /** The sections at the top: a reference begins with one. */
  sections: readonly string[];
  /** The names of all kinds: `${project.name}` is about the nearest block of that kind around it. */
  kinds: ReadonlySet<string>;
  stage?: string;
  /** A file could not be read, so that something undeclared may be declared there. */
  incomplete: boolean;
}

/** The declared secrets. */
export interface SecretNames {
  has(name: string): boolean;
  names(): string[];
  /** The problem with a secret that is used without a key; undefined where that is right. */
  needsKey(name: string): Omit<Diagnostic, 'severity' | 'at'> | undefined;
  /** The name under which the member of a family is known from now on; a problem where there can be none of this key. */
  member(name: string, key: string): string | Omit<Diagnostic, 'severity' | 'at'>;
}

/** The declared lookups. */
export interface LookupNames {
  has(name: string): boolean;
  names(): string[];
  /** The fields that can be named of one; undefined where it is declared wrongly, which was reported. */
  fields(name: string): string[] | undefined;
  /** True if something else than a configuration moves what it finds. */
  isMoving(name: string): boolean;
}

/** A scope: what expressions stand for at one place of the YAML. */
export interface Scope extends Globals {
  /** In a template: the values that it was given. */
  input?: InputValues;
  each?: Each;
  /** In the source of a secret with several keys: the one that is wanted. */
  key?: ScalarNode;
  /** The block that the text stands in. */
  block?: EnclosingBlock;
  /** Set for the `value` of `$secretTo`: a single name is a member of the answer that shows the secret. */
  namesShownMembers?: true;
}

export interface InputValues {
  has(name: string): boolean;
  names(): string[];
  /** Undefined where it could not be made out, which was reported. */
  get(name: string): Node | undefined;
}

/** One member of what `$each` goes over. */
export interface Each {
  /** Absent for a list of maps. */
  key?: ScalarNode;
  value: Node;
  outer?: Each;
}

/** A block with the blocks around it. */
export interface EnclosingBlock {
  kind: string;
  address: string;
  /** Its section and its names as the YAML has them: the way that a reference would go from the block around it. */
  path: string[];
  /** The field that is the key of its map, with its text. */
  key?: { field: string; node: ScalarNode };
  parent?: EnclosingBlock;
}

/** A variable without a value: a problem only where it is used. */
export interface MissingVariable {
  type: 'missing';
  at: Position;
  hint: string;
}

/** The declared variables, those that were declared wrongly included. */
export interface Variables {
  has(name: string): boolean;
  names(): string[];
  /** Undefined where a problem was reported already. */
  get(name: string): Node | MissingVariable | undefined;
  /** True once for each name: what is missing is reported where it is used first. */
  isFirstUse(name: string): boolean;
}

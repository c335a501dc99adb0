import type { Diagnostic, Position } from '../../model/diagnostic.ts';
import type { Growth } from '../growth.ts';
import type { Node, ScalarNode } from '../yaml/nodes.ts';

/** The names with which expressions can begin everywhere in a configuration. */
export interface Globals {
  /** Limits how far expressions can multiply the configuration. */
  growth: Growth;
  variables: Variables;
  /** Undefined where a value must be known before the plan. */
  secrets?: DeclaredSecretNames;
  /** Undefined where a value must be known before the plan. */
  lookups?: LookupNames;
  /** The sections at the top level: a reference begins with one. */
  sections: readonly string[];
  /** The names of all kinds: `${project.name}` means the nearest enclosing block of that kind. */
  kinds: ReadonlySet<string>;
  stage?: string;
  /** True if a file could not be read. It may declare a name that seems to be undeclared. */
  incomplete: boolean;
}

/** The names that expressions can use behind a root such as `var`. */
interface Declarations {
  /**
   * The declarations by name, including those with an error. Complete before the first expression is resolved, because
   * suggestions prepare the names only once.
   */
  readonly declared: ReadonlyMap<string, unknown>;
}

/** The declared secrets. */
export interface DeclaredSecretNames extends Declarations {
  /** Returns the problem with a secret that is used without a key; undefined if it needs none. */
  needsKey(name: string): Omit<Diagnostic, 'severity' | 'at'> | undefined;
  /** Returns the name of one secret of a family, such as `db[at]`, and records its source; or returns the problem with the key. */
  resolveMember(name: string, key: string): string | Omit<Diagnostic, 'severity' | 'at'>;
}

/** The declared lookups. */
export interface LookupNames extends Declarations {
  /** Returns the fields of the result of a lookup; undefined if a problem with its declaration was reported. */
  fields(name: string): string[] | undefined;
  /** True if the result changes without a change of the configuration, such as the latest deployment. */
  isMoving(name: string): boolean;
}

/** The meaning of names in expressions at one place of the YAML. */
export interface ExpressionScope extends Globals {
  /** In a template: the values of its inputs. */
  input?: InputValues;
  each?: Each;
  /** In the source of a secret with several keys: the requested key. */
  key?: ScalarNode;
  /** The block that contains the text. */
  block?: EnclosingBlock;
  /** Set for the `value` of `$secretTo`: a single name is a member of the response that shows the secret. */
  namesShownMembers?: true;
}

/** The inputs of one use of a template. */
export interface InputValues extends Declarations {
  /** Returns undefined if the value could not be determined and the problem was reported. */
  get(name: string): Node | undefined;
}

/** One member of the list or map in `$each`. */
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
  /** Its section and names as the YAML has them: the steps of a reference to it, from the block around it. */
  path: string[];
  /** The field that is the key of its map, with its text. */
  key?: { field: string; node: ScalarNode };
  parent?: EnclosingBlock;
}

/** A variable without a value: a problem only if something uses it. */
export interface MissingVariable {
  type: 'missing';
  at: Position;
  hint: string;
}

/** The declared variables, including those with an invalid declaration. */
export interface Variables extends Declarations {
  /** Undefined if a problem was reported before. */
  get(name: string): Node | MissingVariable | undefined;
  /** True once for each name. A variable without a value is reported only at its first use. */
  isFirstUse(name: string): boolean;
}

import type { Kind, Kinds } from '../../kind/kind.ts';
import type { Address } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Expand } from '../expressions/expand.ts';
import type { Enclosing, Globals } from '../expressions/scope.ts';
import type { Node } from '../yaml/nodes.ts';
import type { Item, Layer, Patch, Say } from './layer.ts';
import type { Template } from './templates.ts';

/** Everything that laying one block needs of the others. */
export interface Context {
  kinds: Kinds;
  globals: Globals;
  diagnostics: Diagnostic[];
  templates: ReadonlyMap<string, Template>;
  /** The names of those that are laid. */
  used: Set<string>;
  say(block?: Enclosing): Say;
  /** Fills in what is known now, in the text of a layer where it is laid. */
  expandIn(layer: Pick<Layer, 'scope' | 'isLiteral'>, block: Enclosing | undefined): Expand;
  /** True unless the `$when` of a layer switches it off. */
  isOn(layer: Layer, block: Enclosing | undefined): boolean;
  /** A layer for each member of its `$each`; the layer itself without one. */
  instances(layer: Layer, block: Enclosing | undefined): Layer[];
  /** Counts a block that a patch matches, or may match something below, or that is laid to find out. Throws `TooMuch` beyond a limit. */
  countPatched(patch: Patch, times?: number): void;
  /** A block from its stack. */
  block(kind: Kind, block: Enclosing, items: Item[]): Node;
  declaredTwice(address: Address, layer: Layer, other: Layer): void;
}

import type { Kind, Kinds } from '../../kind/kind.ts';
import type { Address } from '../../model/address.ts';
import type { Diagnostic, Reporter } from '../../model/diagnostic.ts';
import type { Expand } from '../expressions/expand.ts';
import type { EnclosingBlock, Globals } from '../expressions/scope.ts';
import type { Node } from '../yaml/nodes.ts';
import type { Layer, Patch, StackItem } from './layer.ts';
import type { Template } from './templates.ts';

/** Everything that laying one block needs from the whole configuration. `Layering` implements it. */
export interface MergeContext {
  kinds: Kinds;
  globals: Globals;
  diagnostics: Diagnostic[];
  templates: ReadonlyMap<string, Template>;
  /** The names of the templates that are laid somewhere. */
  usedTemplates: Set<string>;
  reporterFor(block?: EnclosingBlock): Reporter;
  /** Returns the function that replaces expressions in a layer of a block by their values, as far as they are known now. */
  expandIn(layer: Pick<Layer, 'scope' | 'isLiteral'>, block: EnclosingBlock | undefined): Expand;
  /** True unless the `$when` of a layer switches it off. */
  isEnabled(layer: Layer, block: EnclosingBlock | undefined): boolean;
  /** Returns a layer for each member of its `$each`, or the layer itself if it has none. */
  expandEach(layer: Layer, block: EnclosingBlock | undefined): Layer[];
  /** Counts the work of a patch: a block that it matches or may match something in. Throws `LimitExceeded` if the limit is exceeded. */
  countPatched(patch: Patch, times?: number): void;
  /** A block from its stack. */
  mergeBlock(kind: Kind, block: EnclosingBlock, items: StackItem[]): Node;
  reportDuplicate(address: Address, layer: Layer, other: Layer): void;
}

import type { Kind, Kinds } from '../../kind/kind.ts';
import type { Address } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Expand } from '../expressions/expand.ts';
import type { EnclosingBlock, Globals } from '../expressions/scope.ts';
import type { Node } from '../yaml/nodes.ts';
import type { Layer, Patch, ReportWithRelated, StackItem } from './layer.ts';
import type { Template } from './templates.ts';

/** Everything that laying one block needs of the others. */
export interface LayeringContext {
  kinds: Kinds;
  globals: Globals;
  diagnostics: Diagnostic[];
  templates: ReadonlyMap<string, Template>;
  /** The names of those that are laid. */
  usedTemplates: Set<string>;
  reporterFor(layBlock?: EnclosingBlock): ReportWithRelated;
  /** Fills in what is known now, in the text of a layer where it is laid. */
  expandIn(layer: Pick<Layer, 'scope' | 'isLiteral'>, block: EnclosingBlock | undefined): Expand;
  /** True unless the `$when` of a layer switches it off. */
  isEnabled(layer: Layer, block: EnclosingBlock | undefined): boolean;
  /** A layer for each member of its `$each`; the layer itself without one. */
  expandEach(layer: Layer, block: EnclosingBlock | undefined): Layer[];
  /** Counts a block that a patch matches, or may match something below, or that is laid to find out. Throws `TooMuch` beyond a limit. */
  countPatched(patch: Patch, times?: number): void;
  /** A block from its stack. */
  block(kind: Kind, block: EnclosingBlock, items: StackItem[]): Node;
  reportDuplicate(address: Address, layer: Layer, other: Layer): void;
}

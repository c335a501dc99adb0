import type { Kind, Kinds } from '../../kind/kind.ts';
import type { Address } from '../../model/address.ts';
import type { Reporter } from '../../model/diagnostic.ts';
import type { Expand } from '../expressions/expand.ts';
import type { EnclosingBlock, Globals } from '../expressions/scope.ts';
import type { DroppedPart } from '../mask-dropped-values.ts';
import type { ReplacedValue } from '../mask-replaced-values.ts';
import type { UncertainNames } from '../uncertain-names.ts';
import type { Node } from '../yaml/nodes.ts';
import type { Layer, LayerItem, Patch } from './layer.ts';
import type { Template } from './templates.ts';

/** The whole configuration around the layers, and where problems are reported. */
export interface MergeInput {
  kinds: Kinds;
  globals: Globals;
  report: Reporter;
  /** Collects where names are missing because of a reported problem. */
  uncertain: UncertainNames;
  /** Collects the values of fields that a higher layer replaces. */
  replaced: ReplacedValue[];
  /** Collects the blocks and values that a `$drop` removes. */
  dropped: DroppedPart[];
}

/** What merging one block needs from the whole configuration. `LayerMerger` implements it. */
export interface MergeContext {
  kinds: Kinds;
  globals: Globals;
  report: Reporter;
  templates: ReadonlyMap<string, Template>;
  /** The names of the templates that some block uses. */
  usedTemplates: Set<string>;
  /** Returns a reporter whose problems have the address of the block. */
  reporterFor(block?: EnclosingBlock): Reporter;
  /**
   * Returns the function which replaces the expressions in a layer of a block by their values. Expressions with values that only a plan has
   * (secrets, references) stay. The nodes of an expanded layer are returned as they are.
   */
  expandIn(layer: Pick<Layer, 'scope' | 'isExpanded'>, block: EnclosingBlock | undefined): Expand;
  /** True unless the `$when` of a layer switches it off. `kind`: that of the block, if the layer is one. */
  isEnabled(layer: Layer, block: EnclosingBlock | undefined, kind?: Kind): boolean;
  /** Where names may be missing because of a reported problem. */
  uncertain: UncertainNames;
  /** Collects values that other ones replace. */
  replaced: ReplacedValue[];
  /** Collects the blocks and values that a `$drop` removes. */
  dropped: DroppedPart[];
  /** Returns a layer for each member of its `$each`, or the layer itself if it has none. `onIncomplete`: called if members are missing. */
  expandEach(layer: Layer, block: EnclosingBlock | undefined, onIncomplete: () => void): Layer[];
  /** Counts a block that a patch matches, or in which it may match something. Throws `LimitExceeded` after a report if that is too many. */
  countPatched(patch: Patch, times?: number): void;
  /** Returns a block with all of its layers merged. `items`: from the lowest layer to the highest. */
  mergeBlock(kind: Kind, block: EnclosingBlock, items: LayerItem[]): Node;
  /** Reports two layers that declare one resource, although neither may override the other. */
  reportDuplicate(address: Address, layer: Layer, otherLayer: Layer): void;
}

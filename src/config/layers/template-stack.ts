import type { Kind } from '../../kind/kind.ts';
import type { EnclosingBlock, Scope } from '../expressions/scope.ts';
import { hintFor, quoted } from '../suggest.ts';
import { entryOf, type Node, type ScalarNode } from '../yaml/nodes.ts';
import { comparableText } from './each.ts';
import { Inputs, type UseInput } from './inputs.ts';
import type { Layer, StackItem } from './layer.ts';
import type { MergeContext } from './merge-context.ts';
import type { Template } from './templates.ts';
import { checkInputs, readUse, type Use } from './uses.ts';

/** Templates that use each other this deep are treated as a cycle. */
const maxTemplateDepth = 50;

/**
 * The templates of one block. Each is laid once, directly below the layer that uses it first. Its inputs come from all layers that use it:
 * for each input, the last layer decides.
 */
export class TemplateStack {
  readonly #context: MergeContext;
  readonly #kind: Kind | undefined;
  readonly #block: EnclosingBlock | undefined;
  readonly #named: ReadonlyMap<Layer, Use[]>;
  readonly #given = new Map<string, Map<string, UseInput>>();
  readonly #laid = new Map<string, { way: ScalarNode[]; text: string }>();

  /** @param named the templates that each layer names, the weakest layer first */
  constructor(
    context: MergeContext,
    named: ReadonlyMap<Layer, Use[]>,
    kind: Kind | undefined,
    block: EnclosingBlock | undefined,
  ) {
    this.#context = context;
    this.#kind = kind;
    this.#block = block;
    this.#named = named;
    for (const [layer, uses] of named)
      for (const use of uses) {
        const declared = context.templates.get(use.name.text)?.inputs;
        if (declared) checkInputs(use, declared, context.reporterFor(block));
        for (const [name, given] of this.#inputsOf(use, layer)) {
          const all = this.#given.get(use.name.text) ?? new Map<string, UseInput>();
          this.#given.set(use.name.text, all.set(name, given));
        }
      }
  }

  /** Returns the layers that go below a layer because it uses templates, the weakest first. */
  below(layer: Layer): StackItem[] {
    return (this.#named.get(layer) ?? []).flatMap(({ name }) =>
      this.#put(name, this.#given.get(name.text) ?? new Map(), layer, []),
    );
  }

  /** Returns the inputs of a use, with their expressions replaced in the scope of the layer that writes them. */
  #inputsOf({ name, inputs }: Use, layer: Pick<Layer, 'scope' | 'isLiteral'>): Map<string, UseInput> {
    const expanded = this.#context.expandIn(
      layer,
      this.#block,
    )({ type: 'map', at: name.at, entries: inputs });
    return new Map(
      expanded.type === 'map' ? expanded.entries.map(({ key, value }) => [key.text, { key, value }]) : [],
    );
  }

  /**
   * Returns the layers of one template: those of the templates that it uses itself, then its own. Reports cycles, and a second use with
   * other inputs. `scalarNodes`: the names of the templates that led here.
   */
  #put(
    name: ScalarNode,
    given: ReadonlyMap<string, UseInput>,
    user: Layer,
    callers: ScalarNode[],
  ): StackItem[] {
    const report = this.#context.reporterFor(this.#block);
    const template = this.#templateFor(name);
    if (!template) return [];
    const chain = [...callers, name];
    const cycleStart = callers.findIndex((scalarNode) => scalarNode.text === name.text);
    if (cycleStart !== -1 || chain.length > maxTemplateDepth) {
      const circle = chain.slice(Math.max(0, cycleStart)).map(({ text }) => text);
      report.error('use/cycle', `these templates use each other in a cycle: ${circle.join(' → ')}`, {
        at: name,
      });
      return [];
    }
    const scope: Scope = { ...this.#context.globals };
    const inputs = new Inputs(template, given, {
      report,
      at: name.at,
      expand: (values) => {
        scope.input = values;
        return this.#context.expandIn({ scope }, this.#block);
      },
    });
    const text = inputs
      .names()
      .map((inputName) => inputText(inputs.get(inputName)))
      .join();
    const earlierUse = this.#laid.get(template.name);
    if (earlierUse) {
      if (earlierUse.text !== text)
        report.error(
          'use/twice',
          `the template ${quoted(template.name)} is used twice with different inputs: ${formatUseChain(earlierUse.way)}, and ${formatUseChain(chain)}`,
          {
            at: name,
            hint: 'a block can use a template only once; set the inputs in one place, or split the template',
            related: [{ message: 'the other use', at: earlierUse.way.at(-1)!.at }],
          },
        );
      return [];
    }
    this.#laid.set(template.name, { way: chain, text });
    const layer: Layer = {
      node: template.body,
      at: name.at,
      scope,
      rank: 'template',
      fragment: user.fragment,
    };
    if (!this.#context.isEnabled(layer, this.#block)) return [];
    const use = entryOf(template.body, '$use');
    const innerLayers = (use ? readUse(use.value, report) : []).flatMap((inner) => {
      const template = this.#context.templates.get(inner.name.text);
      if (template) checkInputs(inner, template.inputs, report);
      return this.#put(inner.name, this.#inputsOf(inner, layer), user, chain);
    });
    return [...innerLayers, { layer }];
  }

  /** Returns the template with a name. Reports a name that is not declared, and a template for another kind. */
  #templateFor(name: ScalarNode): Template | undefined {
    const { templates, kinds, globals } = this.#context;
    const report = this.#context.reporterFor(this.#block);
    const template = templates.get(name.text);
    this.#context.usedTemplates.add(name.text);
    const kind = this.#kind;
    if (!template && !globals.incomplete)
      report.error('use/unknown', `there is no template ${quoted(name.text)}`, {
        at: name,
        hint: hintFor(name.text, templates, 'declared'),
      });
    if (!template?.kind || template.kind === kind?.name) return template;
    const { section } = kinds.get(template.kind)!;
    report.error('use/kind', `the template ${quoted(template.name)} is for an entry of \`${section}\``, {
      at: name,
      hint: kind
        ? `this is an entry of \`${kind.section}\``
        : '`use:` is for templates without `$kind`, which contain sections',
    });
    return undefined;
  }
}

/** Returns a text that is the same for equal inputs. */
const inputText = (node: Node | undefined): string =>
  node === undefined
    ? ''
    : (comparableText(node) ?? JSON.stringify(node, (key, value) => (key === 'at' ? undefined : value)));

/** Formats the names of templates that led to a use, with their lines, for messages. */
const formatUseChain = (scalarNodes: ScalarNode[]): string =>
  scalarNodes.map(({ text, at }) => `${text} (line ${at.source.position(at.start).line})`).join(' → ');

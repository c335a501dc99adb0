import type { Reporter } from '../../model/diagnostic.ts';
import { isExact } from '../../model/exact-number.ts';
import { memoize } from '../../model/memoize.ts';
import type { Expand } from '../expressions/expand.ts';
import type { InputValues } from '../expressions/scope.ts';
import { quoted } from '../suggest.ts';
import { dataSpotOf, describeNodeType, isPoisoned, type Node, type ScalarNode } from '../yaml/nodes.ts';
import type { Spot } from '../yaml/source.ts';
import type { InputDeclaration, InputType, Template } from './templates.ts';

/** A value that a use of a template sets for one of its inputs. */
export interface UseInput {
  key: ScalarNode;
  /** The value, with its expressions replaced in the scope of the use. */
  value: Node;
}

const maxInputLength = 10_000;

/**
 * The inputs of one use of a template, for `${input.name}` in the template. A default is expanded when its value is first requested, since
 * it may contain other inputs. An input with an invalid value is reported and has the value undefined.
 */
export class Inputs implements InputValues {
  readonly #values = new Map<string, Node | undefined>();
  /** The inputs whose defaults are being expanded. Each contains the next. */
  readonly #expanding = new Set<string>();
  readonly #template: Template;
  readonly #expand: Expand;
  readonly #report: Reporter;

  /**
   * Converts the inputs that the use sets, and reports those that are missing.
   * @param useInputs the inputs that the use sets, by name
   * @param expand returns the function that expands defaults, in the scope of the template
   * @param at the place of the use, where missing inputs are reported
   */
  constructor(
    template: Template,
    useInputs: ReadonlyMap<string, UseInput>,
    { expand, report, at }: { expand(inputs: Inputs): Expand; report: Reporter; at: Spot },
  ) {
    this.#template = template;
    this.#report = report;
    this.#expand = expand(this);
    const missing: string[] = [];
    for (const [name, declaration] of template.inputs) {
      const useInput = useInputs.get(name);
      if (useInput) this.#values.set(name, this.#convert(name, declaration, useInput.value));
      else if (!declaration.default) {
        missing.push(name);
        this.#values.set(name, undefined);
      }
    }
    if (missing.length > 0)
      report.error(
        'input/missing',
        `the template ${quoted(template.name)} needs ${missing.map(quoted).join(', ')}`,
        {
          at,
          hint: `$use: { ${template.name}: { ${missing.map((name) => `${name}: ...`).join(', ')} } }`,
          related: [{ message: 'declared here', at: template.inputs.get(missing[0]!)!.at }],
        },
      );
  }

  /** True if the template declares this input. */
  has(name: string): boolean {
    return this.#template.inputs.has(name);
  }

  /**
   * Returns the value of an input for `${input.name}`, and expands its default if that was not done yet. Undefined after a report, for
   * example if defaults contain each other in a cycle.
   */
  get(name: string): Node | undefined {
    const declaration = this.#template.inputs.get(name);
    if (!declaration || this.#values.has(name)) return this.#values.get(name);
    if (this.#expanding.has(name)) {
      const expanding = [...this.#expanding];
      const cycle = [...expanding.slice(expanding.indexOf(name)), name];
      this.#report.error('config/cycle', `these inputs depend on each other: ${cycle.join(' → ')}`, {
        at: declaration,
      });
      return undefined;
    }
    this.#expanding.add(name);
    const value = this.#convert(name, declaration, this.#expand(declaration.default!));
    this.#expanding.delete(name);
    this.#values.set(name, value);
    return value;
  }

  /**
   * Returns a value in the type that the input declares: a text from a data file may be a number. Returns undefined after a report, if the
   * value does not fit the declaration, so that no resource is created from it.
   */
  #convert(name: string, declaration: InputDeclaration, value: Node): Node | undefined {
    if (isPoisoned(value)) return undefined;
    const { type, pattern, patternText, values } = declaration;
    if (!type && !pattern && !values) return value;
    const dataSpot = dataSpotOf(value);
    const reject = (message: string) => {
      this.#report.error('input/value', `the input ${quoted(name)} ${message}`, {
        at: value,
        related: [
          ...(dataSpot ? [{ message: 'the value', at: dataSpot }] : []),
          { message: 'declared here', at: declaration.at },
        ],
      });
      return undefined;
    };
    if (value.type === 'expression' || value.type === 'hole')
      return reject('must be known before the plan: it cannot be a secret or a reference');
    const converted = toInputType(type ?? 'string', value);
    if (!converted)
      return reject(`must be ${inputTypeWords[type ?? 'string']}, not ${describeNodeType(value)}`);
    if (converted.type !== 'scalar') return converted;
    if (converted.text.length > maxInputLength) return reject(`has more than ${maxInputLength} characters`);
    if (pattern && !pattern.matches(converted.text))
      return reject(`does not match its pattern, \`${patternText}\``);
    if (values && !values.includes(converted.text))
      return reject(`must be one of ${values.map(quoted).join(', ')}`);
    return converted;
  }

  /** Returns the names of all declared inputs. */
  names(): readonly string[] {
    return templateInputNames(this.#template);
  }
}

/** Returns the names of a template's inputs: the same list for each use, so that suggestions prepare it only once. */
const templateInputNames = memoize((template: Template): readonly string[] => [...template.inputs.keys()]);

/** The words for the types of inputs in messages. */
const inputTypeWords: Record<InputType, string> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  list: 'a list',
  map: 'a map',
};

/**
 * Returns a value converted to the declared type of an input, because values from data files and flags are texts. Undefined if it does not
 * fit.
 */
function toInputType(type: InputType, node: Node): Node | undefined {
  if (type === 'list' || type === 'map') return node.type === type ? node : undefined;
  if (node.type !== 'scalar' || node.value === null) return undefined;
  const { text } = node;
  if (type === 'string') return { ...node, value: text };
  if (type === 'boolean')
    return text === 'true' || text === 'false' ? { ...node, value: text === 'true' } : undefined;
  const value = /^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (!isExact(text, value) || (type === 'integer' && !Number.isInteger(value))) return undefined;
  return { ...node, value };
}

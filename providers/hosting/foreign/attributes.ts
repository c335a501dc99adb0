import {
  isPlainObject,
  jsonOrText,
  Sealed,
  type ShownText,
  type StateReading,
  type StateResource,
} from '#kind';

/** The notes taken while one resource is read. */
interface Notes {
  secrets: string[];
  left: string[];
  sensitive: readonly string[];
}

/**
 * The attributes of a resource, or of a block in it, which notes what nobody has taken: whatever a later version of the provider adds is
 * told, and never lost in silence. Null, which is how Terraform says that nothing is set, is undefined here.
 */
export class Attributes {
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #path: string;
  readonly #notes: Notes;
  readonly #taken = new Set<string>();
  readonly #inner: Attributes[] = [];

  private constructor(values: Readonly<Record<string, unknown>>, path: string, notes: Notes) {
    this.#values = values;
    this.#path = path;
    this.#notes = notes;
  }

  static of({ attributes, sensitive }: StateResource): Attributes {
    return new Attributes(attributes, '', { secrets: [], left: [], sensitive });
  }

  /** The value of one; undefined, and noted as a secret, where Terraform keeps it as one. */
  take(name: string): unknown {
    this.#taken.add(name);
    const value = this.#values[name] ?? undefined;
    if (value === undefined || !this.#isSensitive(name)) return value;
    this.#notes.secrets.push(this.#at(name));
    return undefined;
  }

  text(name: string): string | undefined {
    const value = this.take(name);
    return value === undefined ? undefined : String(value);
  }

  texts(name: string): string[] | undefined {
    const value = this.take(name);
    return Array.isArray(value) ? value.map(String) : undefined;
  }

  /** The value of a text that is JSON, else the text. Undefined, and noted, for JSON that would lose something. */
  json(name: string): unknown {
    const text = this.take(name);
    if (typeof text !== 'string') return text;
    const { value, loss } = jsonOrText(text);
    if (loss === undefined) return value;
    this.leave(`\`${this.#at(name)}\` is left out: ${loss}`);
    return undefined;
  }

  /** These under the names that the platform has for them: those that are set. */
  renamed(names: Readonly<Record<string, string>>): Record<string, unknown> {
    const all = Object.entries(names).map(([from, to]) => [to, this.take(from)]);
    return Object.fromEntries(all.filter(([, value]) => value !== undefined));
  }

  /** The attributes of a block. Of what is sensitive as a whole only the members that are asked for are read. */
  inner(name: string): Attributes | undefined {
    return this.items(name)[0];
  }

  /** The same of a list or a set of blocks. */
  items(name: string): Attributes[] {
    this.#taken.add(name);
    const found = [this.#values[name] ?? []].flat().filter(isPlainObject) as Record<string, unknown>[];
    const attributes = found.map(
      (values, index) =>
        new Attributes(values, `${this.#at(name)}${found.length > 1 ? `.${index}` : ''}`, this.#notes),
    );
    this.#inner.push(...attributes);
    return attributes;
  }

  /** Not taken over on purpose, and nothing is lost: ids, times, what the platform works out. */
  skip(...names: string[]): void {
    for (const name of names) this.#taken.add(name);
  }

  /** A secret: it stays where it is, and `as` is told if it is set. */
  secret(name: string, as = this.#at(name)): void {
    this.#taken.add(name);
    if (isSet(this.#values[name])) this.#notes.secrets.push(as);
  }

  /** Notes a secret like `secret`, and returns it sealed: to compare it, never to write it. */
  sealed(name: string, as?: string): Sealed | undefined {
    this.secret(name, as);
    const value = this.#values[name];
    return typeof value === 'string' && value !== '' ? new Sealed(value) : undefined;
  }

  /** Notes the secrets that a creation shows once. `values`: for each attribute, the `value` of `$secretTo` that stands for it. */
  shown(values: Readonly<Record<string, string>>): ShownText[] {
    return Object.entries(values).flatMap(([name, value]) => {
      const text = this.sealed(name);
      return text ? [{ text, value }] : [];
    });
  }

  leave(sentence: string): void {
    this.#notes.left.push(sentence);
  }

  /** The result, once all of the resource was read. */
  reading(objects: StateReading['objects']): StateReading {
    const { secrets, left } = this.#notes;
    const untaken = this.#untaken().map((path) => `\`${path}\` cannot be declared here`);
    return { objects, secrets, omissions: [...left, ...untaken] };
  }

  #untaken(): string[] {
    const own = Object.keys(this.#values)
      .filter((name) => !this.#taken.has(name) && isSet(this.#values[name]))
      .map((name) => this.#at(name));
    return [...own, ...this.#inner.flatMap((attributes) => attributes.#untaken())];
  }

  #at(name: string): string {
    return this.#path === '' ? name : `${this.#path}.${name}`;
  }

  #isSensitive(name: string): boolean {
    const at = this.#at(name);
    return this.#notes.sensitive.some((path) => path === at || path.startsWith(`${at}.`));
  }
}

/** False for what is off or empty: Terraform writes down every default. */
const isSet = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.some(isSet)
    : isPlainObject(value)
      ? Object.values(value).some(isSet)
      : value !== undefined && value !== null && value !== '' && value !== false;

/** Without the members that are undefined. */
export const present = (object: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));

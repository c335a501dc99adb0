import type { Request } from '../model/request.ts';
import { revealed } from '../model/sealed.ts';

/** Ids that the platform makes begin with the kind of their object: `prj_...`. Names that people give hardly look like that. */
const generatedId = /^[a-z]{2,}_[A-Za-z0-9]{4,}$/;

/** Returns all texts in plain data, also the names of members. */
export function collectTexts(data: unknown): ReadonlySet<string> {
  const texts = new Set<string>();
  const collect = (value: unknown) => {
    if (typeof value === 'string') texts.add(value);
    else if (Array.isArray(value)) value.forEach(collect);
    else if (typeof value === 'object' && value !== null)
      for (const [name, item] of Object.entries(value)) {
        texts.add(name);
        collect(item);
      }
  };
  collect(data);
  return texts;
}

/**
 * Returns the first id in requests of an object that the twin has never had, because the plan did not read it: a variable that another stack manages, for
 * example. If the twin refuses such a request, that says nothing about the platform.
 */
export function findUnreadId(
  requests: readonly Request[],
  knownTexts: ReadonlySet<string>,
): string | undefined {
  const texts = collectTexts(requests.map(({ params, body }) => revealed([params, body])));
  return [...texts].find((text) => generatedId.test(text) && !knownTexts.has(text));
}

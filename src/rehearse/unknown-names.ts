/*
 * Finds ids in requests that a rehearsal's twin cannot know. The twin has only the objects that the plan has read. A request can also name
 * others, such as a variable that another stack manages, and then a refusal of the twin says nothing about the platform.
 */
import type { Request } from '../model/request.ts';
import { revealed } from '../model/sealed.ts';

/**
 * The form of ids that the platform makes: they begin with the kind of their object, such as `prj_...`. Names that people give hardly look
 * like that.
 */
const generatedId = /^[a-z]{2,}_[A-Za-z0-9]{4,}$/;

/**
 * Returns all texts in plain data, also the names of members. Used to look up whether the account of the twin (the simulated account of a
 * rehearsal) has an id.
 */
export function collectTexts(data: unknown): ReadonlySet<string> {
  const texts = new Set<string>();
  const collect = (value: unknown) => {
    if (typeof value === 'string') texts.add(value);
    else if (Array.isArray(value)) value.forEach(collect);
    else if (typeof value === 'object' && value !== null)
      for (const [name, member] of Object.entries(value)) {
        texts.add(name);
        collect(member);
      }
  };
  collect(data);
  return texts;
}

/**
 * Returns the first id in requests that is not among the texts of the twin's account (the copy of the account for `plan --rehearse`);
 * undefined if there is none. A refusal of such a request says nothing, because the twin does not know the object.
 */
export function findUnreadId(
  requests: readonly Request[],
  knownTexts: ReadonlySet<string>,
): string | undefined {
  const texts = collectTexts(requests.map(({ params, body }) => revealed([params, body])));
  return [...texts].find((text) => generatedId.test(text) && !knownTexts.has(text));
}

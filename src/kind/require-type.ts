/*
 * Checks for the parts of an answer that a kind reads before its fields are decoded: the list or map with its objects, and the members that
 * decide which of them belong to the kind. Each function throws for another JSON type, so that the collection counts as unread. Without the
 * check, an object would be left out silently, and a plan would create it again.
 */
import type { ApiObject } from './read.ts';

export type JsonType = 'text' | 'number' | 'boolean' | 'list' | 'object' | 'null' | 'nothing';

/** Returns the name of a value's JSON type, to check answers and for messages about unexpected ones; `nothing` for a missing member. */
export function jsonTypeOf(value: unknown): JsonType {
  if (Array.isArray(value)) return 'list';
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  return typeof value === 'string' ? 'text' : (typeof value as JsonType);
}

/**
 * Returns a value of an answer if it has the expected JSON type. Throws if it has another one, so that a plan does not take the objects in
 * it for missing. `name`: that of the member, for the message.
 */
function requireType(value: unknown, name: string, expected: JsonType): unknown {
  const actual = jsonTypeOf(value);
  if (actual !== expected)
    throw new Error(`the response has a \`${name}\` that is ${actual}, not ${expected}`);
  return value;
}

/** Returns a value of an answer that must be a text, such as the type that distinguishes the objects of a list. */
export const requireText = (value: unknown, name: string): string =>
  requireType(value, name, 'text') as string;

/** Returns a value of an answer that must be a text if it is set; undefined if it is absent or null. */
export const optionalText = (value: unknown, name: string): string | undefined =>
  value === undefined || value === null ? undefined : requireText(value, name);

/** Returns a value of an answer that must be an object. */
export const requireObject = (value: unknown, name: string): ApiObject =>
  requireType(value, name, 'object') as ApiObject;

/** Returns a value of an answer that must be an object if it is set; undefined if it is absent or null. */
export const optionalObject = (value: unknown, name: string): ApiObject | undefined =>
  value === undefined || value === null ? undefined : requireObject(value, name);

/** Returns a value of an answer that must be a list of objects; an empty list if it is absent or null. */
export const objectsOfList = (list: unknown, name: string): ApiObject[] =>
  list === undefined || list === null
    ? []
    : (requireType(list, name, 'list') as unknown[]).map((item, index) =>
        requireObject(item, `${name}.${index}`),
      );

/** Returns the members of a map in an answer, such as roles by group; none if it is absent or null. */
export const membersOfMap = (map: unknown, name: string): [string, unknown][] =>
  map === undefined || map === null ? [] : Object.entries(requireObject(map, name));

/** Returns the objects in a map of an answer, by their names; none if it is absent or null. */
export const objectsOfMap = (map: unknown, name: string): [string, ApiObject][] =>
  membersOfMap(map, name).map(([key, member]) => [key, requireObject(member, name)]);

import type { LedgerEntry } from '../model/ledger.ts';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isDigest = (value: unknown): boolean => isObject(value) && isText(value.key) && isText(value.digest);
const isFlag = (value: unknown): boolean => value === undefined || value === true;

/**
 * Whether something is an entry as `entrySchema` has it, told in a tenth of the time: there may be 100,000. Only the schema can say
 * what is wrong with one, and what is not certain here is left to it.
 */
export const isEntry = (value: unknown): value is LedgerEntry =>
  isObject(value) &&
  isText(value.kind) &&
  isTexts(value.ids) &&
  (value.origin === 'created' || value.origin === 'adopted') &&
  isText(value.salt) &&
  Number.isFinite(value.form) &&
  isObject(value.fields) &&
  Object.values(value.fields).every(isText) &&
  isObject(value.secrets) &&
  Object.values(value.secrets).every(isDigest) &&
  (value.hidden === undefined || isTexts(value.hidden)) &&
  (value.updatedAt === undefined || Number.isFinite(value.updatedAt)) &&
  (value.onRemove === undefined || value.onRemove === 'delete') &&
  (value.dependsOn === undefined || isTexts(value.dependsOn)) &&
  isFlag(value.protect) &&
  isFlag(value.existing) &&
  isFlag(value.tainted);

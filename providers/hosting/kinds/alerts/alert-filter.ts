import * as z from 'zod';
import { spelledAlike } from '#kind';

// Texts in quotes, which stay as they are, or a comparison with a number.
const quotedOrComparison = /"(?:[^"\\]|\\.)*"|([\w.]+)\s*:?\s*([<>]=?)\s*(?=-?\d)/g;

/**
 * Returns a filter of an alert rule as answers spell it: `httpStatus >= 500` becomes `httpStatus:>=500`. Other spellings of answers are not
 * known. Used to compare filters, because the platform respells them.
 */
export const normalFilter = (filter: string): string =>
  filter.replace(quotedOrComparison, (text, name?: string, operator?: string) =>
    name === undefined ? text : `${name}:${operator}`,
  );

/** Returns the schema of a filter in the platform's language for filters (KQL), for alert rules. */
export const alertFilter = () => spelledAlike(z.string().min(1).max(2048), normalFilter);

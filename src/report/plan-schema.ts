import * as z from 'zod';
import { planDocument } from './plan-document.ts';

/** The JSON Schema of what `plan --json` prints. */
export const planSchema = (): object => ({
  title: 'trueup plan',
  ...z.toJSONSchema(planDocument),
});

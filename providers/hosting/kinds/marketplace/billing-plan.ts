import * as z from 'zod';
import { openEnum } from '#kind';

/** The states of an installation, and of a resource. */
export const statuses = ['ready', 'pending', 'onboarding', 'suspended', 'resumed', 'uninstalled', 'error'];

const details = z.array(z.strictObject({ label: z.string(), value: z.string().optional() })).optional();

/** The plan that a customer pays for. A read tells its id at most. */
export const billingPlan = z.strictObject({
  id: z.string().describe("Its id among the product's plans."),
  type: openEnum(['subscription', 'prepayment']).describe('The payment schedule.'),
  name: z.string().describe('Its display name.'),
  description: z.string().optional().describe('Its description.'),
  paymentMethodRequired: z.boolean().optional().describe('The customer must have a payment method.'),
  cost: z.string().optional().describe('The displayed price.'),
  details: details.describe('The details, as a table.'),
  highlightedDetails: details.describe('The highlighted rows of the table.'),
  effectiveDate: z.string().optional().describe('When it takes effect (ISO 8601).'),
});

/** A message that the dashboard shows beside an installation or a resource. */
export const notification = z.strictObject({
  level: openEnum(['info', 'warn', 'error']).describe('Its severity.'),
  title: z.string().describe('Its title.'),
  message: z.string().optional().describe('Its text.'),
  href: z.string().optional().describe('A page with more information.'),
});

import * as z from 'zod';
import { openEnum } from '#kind';

/** The states of an installation, and of a resource. */
export const statuses = ['ready', 'pending', 'onboarding', 'suspended', 'resumed', 'uninstalled', 'error'];

const details = z.array(z.strictObject({ label: z.string(), value: z.string().optional() })).optional();

/** The plan that a customer pays for. A read tells its id at most. */
export const billingPlan = z.strictObject({
  id: z.string().describe('Its id among the plans of the product.'),
  type: openEnum(['subscription', 'prepayment']).describe('When it is paid.'),
  name: z.string().describe('Its name, for people.'),
  description: z.string().optional().describe('What is in it, for people.'),
  paymentMethodRequired: z.boolean().optional().describe('The customer must have a payment method.'),
  cost: z.string().optional().describe('The price, for people.'),
  details: details.describe('What is in it, as a table for people.'),
  highlightedDetails: details.describe('The rows of the table that are shown first.'),
  effectiveDate: z.string().optional().describe('The time from which it holds (ISO 8601).'),
});

/** A message that the dashboard shows beside an installation or a resource. */
export const notification = z.strictObject({
  level: openEnum(['info', 'warn', 'error']).describe('How urgent it is.'),
  title: z.string().describe('What it says.'),
  message: z.string().optional().describe('The rest of it.'),
  href: z.string().optional().describe('A page that tells more.'),
});

import * as z from 'zod';

const methodPattern = /^[A-Z]+$/;

const testedRequestSchema = z
  .strictObject({
    url: z
      .url({ protocol: /^https?$/, error: 'a URL looks like https://shop.example/admin' })
      .describe('The URL of the request: https://shop.example/admin.'),
    method: z
      .string()
      .regex(methodPattern, 'write the method in capitals, such as GET')
      .optional()
      .describe('Default: GET.'),
    ip: z
      .union([z.ipv4(), z.ipv6()], { error: 'an IP address such as 203.0.113.9' })
      .optional()
      .describe('The IP address of the visitor.'),
    country: z
      .string()
      .regex(/^[A-Z]{2}$/, 'a country has two capital letters, such as DE')
      .optional()
      .describe('The country of the visitor, as two letters.'),
    headers: z
      .record(z.string(), z.string())
      .optional()
      .describe('Headers of the request. A rule about a header that is not listed is not certain.'),
  })
  .describe(
    'The request of a visitor that `verdict`, `rule`, `redirect`, `status` and `servedBy` are about.',
  );

const dnsSchema = z
  .strictObject({
    name: z.string().min(1).describe('The name: www.example.com.'),
    type: z
      .string()
      .regex(/^[A-Z]+$/, 'write the type in capitals, such as A or MX')
      .describe('The record type: A.'),
  })
  .describe('The question to the DNS that `answer` is about.');

/** The members of a test that its expectations can be about. */
export const subjectSchemas = {
  request: testedRequestSchema.optional(),
  dns: dnsSchema.optional(),
  certain: z
    .boolean()
    .optional()
    .describe(
      'False to accept a result for `request` or `dns` that depends on something that is not known, such as a managed ruleset. Default: such a result fails the test.',
    ),
};

/** The request of a visitor in a test. */
export type TestedRequest = z.infer<typeof testedRequestSchema>;
/** The question to the DNS in a test. */
export type TestedName = z.infer<typeof dnsSchema>;

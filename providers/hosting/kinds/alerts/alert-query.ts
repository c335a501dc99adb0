import * as z from 'zod';
import { type ApiObject, atomic, type Fields, openEnum, type Value } from '#kind';
import { alertFilter, normalFilter } from './alert-filter.ts';

/* What a custom alert rule measures, and when that raises an alert. */

/** Describes one metric of a query. */
const metric = () =>
  z.strictObject({
    metric: z.string().min(1).describe('The metric, such as `vercel.request.count`.'),
    aggregation: z.string().min(1).describe('How its values are combined, such as `sum` or `p95`.'),
    per: openEnum(['second']).optional().describe('The unit of time of a rate.'),
    normalize: openEnum(['percent']).optional().describe('Whether shares are counted.'),
    dimensions: z.array(z.string()).optional().describe('The dimensions that `unique` counts.'),
    filter: alertFilter().optional().describe('The events that count.'),
  });

/** Describes a query of one metric, or of the quotient of two. */
const query = () =>
  z.strictObject({
    metrics: z.record(z.string(), metric()).describe('One metric or two, by names for the formula.'),
    formulas: z
      .record(z.string(), z.string())
      .optional()
      .describe('With two metrics: their quotient, as `formula`.'),
    groupBy: z
      .array(z.string())
      .max(1)
      .optional()
      .describe('A dimension, each of whose values counts alone.'),
    outputs: z.array(z.string()).length(1).describe('The name of the metric, or `formula`.'),
  });

/** Describes what a custom rule measures. A change sends all of it. */
export const alertEvaluation = () =>
  atomic(
    z.strictObject({
      window: openEnum(['5m', '15m', '1h', '1d']).describe('The time that one value is for.'),
      query: query().describe('The metrics.'),
    }),
  );

/** Describes when the output of a query raises an alert. A change sends all of it. */
export const alertTrigger = () =>
  atomic(
    z.strictObject({
      type: openEnum(['threshold', 'anomaly']).describe('What it compares the output with.'),
      output: z.string().min(1).describe('The output of the query.'),
      operator: openEnum(['gt', 'gte', 'lt', 'lte']).optional().describe('How it compares with `threshold`.'),
      threshold: z.number().optional().describe('The threshold.'),
      standardDeviations: z
        .number()
        .min(0.1)
        .optional()
        .describe('How far an anomaly is from the usual value.'),
      minimum: z
        .strictObject({
          output: z.string().min(1).describe('A metric of the query.'),
          threshold: z.number().min(0).describe('The least value of it with which the rule counts.'),
        })
        .optional()
        .describe('When too little happens for an alert.'),
    }),
  );

/** Returns a copy of a query in an answer with its filters in the spelling in which they are compared. */
export function withNormalFilters(evaluation: ApiObject): Value {
  const { metrics, ...rest } = evaluation.query as { metrics: Record<string, Fields> };
  const respelled = Object.entries(metrics).map(([name, metric]) => [
    name,
    typeof metric.filter === 'string' ? { ...metric, filter: normalFilter(metric.filter) } : metric,
  ]);
  return { ...evaluation, query: { ...rest, metrics: Object.fromEntries(respelled) } } as Value;
}

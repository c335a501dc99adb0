import { z } from 'zod';

interface Shape {
  type?: string;
  properties?: Record<string, Shape>;
  required?: string[];
  items?: Shape;
  anyOf?: Shape[];
  oneOf?: Shape[];
  enum?: unknown[];
  const?: unknown;
  minItems?: number;
  minimum?: number;
  minLength?: number;
}

/** The smallest value that a schema takes, as far as its form tells. */
export const leastOf = (schema: z.ZodType): unknown =>
  least(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape);

function least(shape: Shape): unknown {
  if (shape.const !== undefined) return shape.const;
  if (shape.enum) return shape.enum[0];
  const one = (shape.anyOf ?? shape.oneOf)?.[0];
  if (one) return least(one);
  if (shape.type === 'object' || shape.properties)
    return Object.fromEntries((shape.required ?? []).map((name) => [name, least(shape.properties![name]!)]));
  if (shape.type === 'array')
    return Array.from({ length: shape.minItems ?? 0 }, () => least(shape.items ?? {}));
  if (shape.type === 'number' || shape.type === 'integer') return shape.minimum ?? 0;
  if (shape.type === 'boolean') return false;
  return 'x'.repeat(Math.max(1, shape.minLength ?? 1));
}

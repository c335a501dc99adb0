import { type Diagnostic, problem } from '../../model/diagnostic.ts';
import { positionOf, type Spot } from '../yaml/source.ts';

/** Reports a problem at a place, with other places that belong to it. */
export type Say = (
  code: string,
  message: string,
  at: Spot,
  hint?: string,
  related?: { message: string; at: Spot }[],
) => void;

/** Reports into `diagnostics`; `address`: the block that it is about. */
export const sayingTo =
  (diagnostics: Diagnostic[], address?: string): Say =>
  (code, message, at, hint, related) => {
    diagnostics.push(
      problem(code, message, {
        at: positionOf(at),
        hint,
        ...(address === undefined ? {} : { address }),
        ...(related
          ? { related: related.map((one) => ({ message: one.message, at: positionOf(one.at) })) }
          : {}),
      }),
    );
  };

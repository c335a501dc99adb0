import * as z from 'zod';

/** A share in thousandths of a percent, according to the doc comments of the platform's SDK. The API has several names for it. */
export const share = () => z.number().min(0).max(100_000);

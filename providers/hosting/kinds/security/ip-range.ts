import * as z from 'zod';

/** Describes an IP address, or a range that is not wider than the dashboard allows. */
export const ipRange = () =>
  z
    .union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], 'an IP address, or a range like 192.0.2.0/24')
    .refine(
      (text) => !(Number(text.split('/')[1]) < (text.includes(':') ? 48 : 16)),
      'a range cannot be wider than /16, or /48 with IPv6',
    );

/** Returns hosts and addresses of an answer in lower case, to compare them. Other values stay, and are refused as names later. */
export const lower = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value);

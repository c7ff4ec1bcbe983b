/**
 * What a guest typed into the booking form, checked before it is sent.
 *
 * The service checks again and has the last word. The checks here exist so that the guest reads all that is wrong at
 * once and beside the field; a rule that only the service can know (is the berth free?) has no place here.
 */

/** The form as it is typed: every field a string, none of them trusted. */
export interface BookingDraft {
  readonly arrive: string;
  readonly depart: string;
  readonly lengthMetres: string;
  readonly draughtMetres: string;
  readonly name: string;
  readonly mail: string;
}

export interface BookingForm {
  readonly arrive: string;
  readonly depart: string;
  readonly lengthCm: number;
  readonly draughtCm: number;
  readonly name: string;
  readonly mail: string;
}

export type FieldErrors = Partial<Readonly<Record<keyof BookingDraft, string>>>;

export type Validated =
  | { readonly ok: true; readonly form: BookingForm }
  | { readonly ok: false; readonly errors: FieldErrors };

/** As in quayside/stay.py. */
export const MAX_NIGHTS = 28;

const DAY_MS = 24 * 60 * 60 * 1_000;

/** The checked form, or a message for each field that is wrong. `today` is the harbour's date, as an ISO string. */
export function validateBooking(draft: BookingDraft, today: string): Validated {
  const errors: Partial<Record<keyof BookingDraft, string>> = {};

  const arrive = dayNumber(draft.arrive);
  const depart = dayNumber(draft.depart);
  if (arrive === null) errors.arrive = "Please choose the day of arrival.";
  // ISO dates sort as text, so no Date is needed, and with it no time zone.
  else if (draft.arrive < today) errors.arrive = "This day has passed.";
  if (depart === null) errors.depart = "Please choose the day of departure.";
  else if (arrive !== null && depart <= arrive) errors.depart = "The departure must be after the arrival.";
  else if (arrive !== null && depart - arrive > MAX_NIGHTS) errors.depart = `At most ${MAX_NIGHTS} nights.`;

  const lengthCm = centimetres(draft.lengthMetres);
  if (lengthCm === null || lengthCm < 200 || lengthCm > 4_000) errors.lengthMetres = "Between 2 and 40 metres.";
  const draughtCm = centimetres(draft.draughtMetres);
  if (draughtCm === null || draughtCm > 600) errors.draughtMetres = "Up to 6 metres.";

  const name = draft.name.trim();
  if (name === "") errors.name = "Please tell us your name.";
  const mail = draft.mail.trim();
  // Only what cannot be an address is refused; whether it is one, the confirmation will show.
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(mail)) errors.mail = "We send the confirmation to this address.";

  if (Object.keys(errors).length > 0 || lengthCm === null || draughtCm === null) return { ok: false, errors };
  return { ok: true, form: { arrive: draft.arrive, depart: draft.depart, lengthCm, draughtCm, name, mail } };
}

/** Metres as people type them (`8.3`, `8,30`, `8,3 m`) in whole centimetres, or null. */
export function centimetres(text: string): number | null {
  const match = /^(\d{1,2})(?:[.,](\d{1,2}))?\s*m?$/.exec(text.trim());
  if (match === null) return null;
  const [, whole = "", part = ""] = match;
  const value = Number(whole) * 100 + Number(part.padEnd(2, "0"));
  return value > 0 ? value : null;
}

/** Days since the epoch of an ISO date that exists in the calendar, or null. */
function dayNumber(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const ms = Date.parse(`${text}T00:00:00Z`);
  // 2026-02-30 is parsed as 2 March by some engines.
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== text) return null;
  return ms / DAY_MS;
}

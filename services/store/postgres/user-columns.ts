import type { Sql, Transaction } from '#core/stores/postgres.ts'

/** Columns of a `User`, from the table `accounts`. */
export const userColumns = (sql: Sql | Transaction) => sql`
  accounts.id, username, email, email_confirmed_at is not null as "isEmailConfirmed", first_name as "firstName",
  last_name as "lastName", profile_image_url as "profileImageUrl", plan as "subscriptionStatus",
  is_operator as "isOperator"`

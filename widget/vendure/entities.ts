/** The tables of the plugin. A shop adds them by a migration, as its other tables. */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An event that was handled. One row more for each order is locked while its event is handled. */
@Entity('pay_checkout_events')
@Index(['intent_id', 'epoch', 'sequence'])
export class PayCheckoutEvent {
  @PrimaryColumn('varchar', { length: 191 })
  event_id!: string;

  @Column('varchar', { length: 191 })
  intent_id!: string;

  @Column('varchar', { length: 64 })
  epoch!: string;

  @Column('int')
  sequence!: number;
}

/** Where the next reconciliation continues; one row. */
@Entity('pay_checkout_progress')
export class PayCheckoutProgress {
  @PrimaryColumn('int')
  id!: number;

  @Column('text')
  cursor!: string;
}

/** A payment that a person has to pay back. */
@Entity('pay_checkout_refunds')
export class PayCheckoutRefund {
  @PrimaryColumn('varchar', { length: 191 })
  request_id!: string;

  @Column('varchar', { length: 191 })
  intent_id!: string;

  @Column('varchar', { length: 64 })
  amount!: string;

  @Column('varchar', { length: 16 })
  currency!: string;

  @Column('text')
  reason!: string;
}

// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The GPIO chip of a Raspberry Pi with a board's multiplexers soldered to it, or its diode matrix.
 *
 * Each chip connects the contact that the select lines choose to its signal line. A contact that is closed
 * pulls the line down at once; when it is left, the line takes rise_ns to come up again, as through a
 * resistor. Contact c of chip k is bit c + (k << selects) of `closed`, as of the masks of contacts that are
 * stuck. With enable lines all chips are on the first signal line, and connect while theirs is low.
 *
 * With rows it is a matrix: the signal lines are its columns, contact c of row k is bit c + k * columns, and each has a
 * diode, which leads from its column to its row. A row pulls while it is driven low, and an output is not driven while
 * it is an input.
 *
 * A push button, if there is one, pulls its line to ground while it is `pressed`. Of a buzzer's line the times are kept
 * at which it rose and fell, rising first: `edges` of them, in microseconds.
 */
#include <linux/gpio/driver.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/pinctrl/pinconf-generic.h>
#include <linux/platform_device.h>
#include <linux/random.h>
#include <linux/spinlock.h>

#define LINES 54
#define CHIPS 28
#define NONE (-1)
#define EDGES 64

static int select[5] = { 17, 27, 22 };
module_param_array(select, int, NULL, 0644);
static int selects = 3;
module_param(selects, int, 0644);
static int signal[CHIPS] = { 23, 24, 25 };
static int signals = 3;
module_param_array(signal, int, &signals, 0644);
static int enable[CHIPS];
module_param_array(enable, int, NULL, 0644);
static int enables;
module_param(enables, int, 0644);
static int row[CHIPS];
module_param_array(row, int, NULL, 0644);
static int rows;
module_param(rows, int, 0644);

static ulong closed;
module_param(closed, ulong, 0644);
static ulong stuck_closed; /* contacts, wherever the pieces are */
module_param(stuck_closed, ulong, 0644);
static ulong stuck_open;
module_param(stuck_open, ulong, 0644);
static ulong shorted; /* contacts whose diode lets current pass both ways */
module_param(shorted, ulong, 0644);
static ulong dead; /* chips without power, or rows without a wire: bit k */
module_param(dead, ulong, 0644);
static ulong floats; /* signal lines without a resistor of their own: bit k */
module_param(floats, ulong, 0644);
static int button = NONE; /* the lines of a button and a buzzer */
module_param(button, int, 0644);
static bool pressed;
module_param(pressed, bool, 0644);
static int buzzer = NONE;
module_param(buzzer, int, 0644);
static ulong edge_us[EDGES];
module_param_array(edge_us, ulong, NULL, 0444);
static uint edges; /* since it was set to 0; those beyond EDGES are only counted */
module_param(edges, uint, 0644);
static char *label = "pinctrl-bcm2711"; /* what the chip of a model is called */
module_param(label, charp, 0444);
static bool mute; /* no line can be read */
module_param(mute, bool, 0644);
static ulong rise_ns = 7000;
module_param(rise_ns, ulong, 0644);

static DEFINE_RAW_SPINLOCK(lock);
static u64 level, output, pulled_up, pulled_down;
module_param_named(driven, output, ullong, 0444); /* the lines that are outputs now */
static ktime_t up_at[CHIPS];

static unsigned int address(void)
{
	unsigned int bit, chosen = 0;

	for (bit = 0; bit < selects; bit++)
		if (level & BIT_ULL(select[bit]))
			chosen |= BIT(bit);
	return chosen;
}

static bool is_closed(u64 contact)
{
	return stuck_closed & contact || (closed & contact && !(stuck_open & contact));
}

/* Return whether a chip connects its signal line to ground. */
static bool chip_pulls(unsigned int chip)
{
	if (dead & BIT(chip) || (enables && level & BIT_ULL(enable[chip])))
		return false;
	return is_closed(BIT_ULL((chip << selects) + address()));
}

static bool is_driven_low(unsigned int line)
{
	return output & ~level & BIT_ULL(line);
}

/*
 * Find which rows and columns of the matrix are low: those that are driven so, a column by a closed contact in a row
 * that is low, and a row by a closed contact in a column that is low, if its diode is shorted.
 */
static void find_low(u32 *low_rows, u32 *low_columns)
{
	unsigned int k, c;
	bool settled;

	*low_rows = *low_columns = 0;
	for (k = 0; k < rows; k++)
		if (is_driven_low(row[k]) && !(dead & BIT(k)))
			*low_rows |= BIT(k);
	for (c = 0; c < signals; c++)
		if (is_driven_low(signal[c]))
			*low_columns |= BIT(c);
	do {
		settled = true;
		for (k = 0; k < rows; k++)
			for (c = 0; c < signals; c++) {
				u64 contact = BIT_ULL(c + k * signals);
				bool row_is_low = *low_rows & BIT(k), column_is_low = *low_columns & BIT(c);

				if (row_is_low == column_is_low || !is_closed(contact))
					continue;
				if (row_is_low)
					*low_columns |= BIT(c);
				else if (shorted & contact)
					*low_rows |= BIT(k);
				else
					continue;
				settled = false;
			}
	} while (!settled);
}

static bool row_is_low(unsigned int k)
{
	u32 low_rows, low_columns;

	find_low(&low_rows, &low_columns);
	return low_rows & BIT(k);
}

static bool column_is_low(unsigned int c)
{
	u32 low_rows, low_columns;

	find_low(&low_rows, &low_columns);
	return low_columns & BIT(c);
}

static bool pulls(unsigned int line)
{
	unsigned int chip;

	if (rows)
		return column_is_low(line);
	if (!enables)
		return chip_pulls(line);
	for (chip = 0; chip < enables; chip++)
		if (line == 0 && chip_pulls(chip))
			return true;
	return false;
}

/* Return the level of a line that no contact pulls down. */
static int at_rest(unsigned int index, unsigned int line)
{
	if (!(floats & BIT(index)) || pulled_up & BIT_ULL(line))
		return ktime_after(ktime_get(), up_at[index]);
	return pulled_down & BIT_ULL(line) ? 0 : get_random_u32() & 1;
}

static int board_get(struct gpio_chip *gc, unsigned int line)
{
	unsigned long flags;
	unsigned int index;
	int high = 1;

	if (mute)
		return -EIO;
	raw_spin_lock_irqsave(&lock, flags);
	if (output & BIT_ULL(line))
		high = !!(level & BIT_ULL(line));
	for (index = 0; index < signals; index++)
		if (signal[index] == line)
			high = !pulls(index) && at_rest(index, line);
	for (index = 0; index < rows; index++)
		if (row[index] == line)
			high = !row_is_low(index);
	if (pressed && button >= 0 && line == button)
		high = 0;
	raw_spin_unlock_irqrestore(&lock, flags);
	return high;
}

/* Return whether the buzzer sounds: an input leaves its transistor without current. */
static bool sounds(void)
{
	return buzzer >= 0 && output & level & BIT_ULL(buzzer);
}

static void keep_edge(void)
{
	if (edges < EDGES)
		edge_us[edges] = ktime_to_us(ktime_get());
	edges++;
}

/* Make a line an input, or an output of a level. Signals that are no longer pulled down begin to rise. */
static void change(unsigned int line, bool driven, bool high)
{
	unsigned long flags;
	unsigned int index;
	bool sounded;
	u32 before = 0;

	raw_spin_lock_irqsave(&lock, flags);
	for (index = 0; index < signals; index++)
		before |= pulls(index) ? BIT(index) : 0;
	sounded = sounds();
	output = driven ? output | BIT_ULL(line) : output & ~BIT_ULL(line);
	level = high ? level | BIT_ULL(line) : level & ~BIT_ULL(line);
	for (index = 0; index < signals; index++)
		if (before & BIT(index) && !pulls(index))
			up_at[index] = ktime_add_ns(ktime_get(), rise_ns);
	if (sounds() != sounded)
		keep_edge();
	raw_spin_unlock_irqrestore(&lock, flags);
}

static void board_set(struct gpio_chip *gc, unsigned int line, int high)
{
	change(line, output & BIT_ULL(line), high);
}

static int board_input(struct gpio_chip *gc, unsigned int line)
{
	change(line, false, level & BIT_ULL(line));
	return 0;
}

static int board_output(struct gpio_chip *gc, unsigned int line, int high)
{
	change(line, true, high);
	return 0;
}

static int board_direction(struct gpio_chip *gc, unsigned int line)
{
	return output & BIT_ULL(line) ? GPIO_LINE_DIRECTION_OUT : GPIO_LINE_DIRECTION_IN;
}

static int board_config(struct gpio_chip *gc, unsigned int line, unsigned long config)
{
	switch (pinconf_to_config_param(config)) {
	case PIN_CONFIG_BIAS_PULL_UP:
		pulled_up |= BIT_ULL(line);
		pulled_down &= ~BIT_ULL(line);
		return 0;
	case PIN_CONFIG_BIAS_PULL_DOWN:
		pulled_down |= BIT_ULL(line);
		pulled_up &= ~BIT_ULL(line);
		return 0;
	case PIN_CONFIG_BIAS_DISABLE:
		pulled_up &= ~BIT_ULL(line);
		pulled_down &= ~BIT_ULL(line);
		return 0;
	default:
		return -ENOTSUPP;
	}
}

static struct gpio_chip board = {
	.owner = THIS_MODULE,
	.base = -1,
	.ngpio = LINES,
	.get = board_get,
	.set = board_set,
	.direction_input = board_input,
	.direction_output = board_output,
	.get_direction = board_direction,
	.set_config = board_config,
};

static struct platform_device *device;

static int __init board_init(void)
{
	int error;

	device = platform_device_register_simple("muxboard", -1, NULL, 0);
	if (IS_ERR(device))
		return PTR_ERR(device);
	board.label = label;
	board.parent = &device->dev;
	error = gpiochip_add_data(&board, NULL);
	if (error)
		platform_device_unregister(device);
	return error;
}

static void __exit board_exit(void)
{
	gpiochip_remove(&board);
	platform_device_unregister(device);
}

module_init(board_init);
module_exit(board_exit);
MODULE_DESCRIPTION("A Pi's GPIO chip with a board's multiplexers or matrix on it");
MODULE_LICENSE("Dual MIT/GPL");
